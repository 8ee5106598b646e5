/** Currencies whose smallest unit is the whole unit. https://docs.stripe.com/currencies#zero-decimal */
export const zeroDecimal: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
);

/** Amounts are given with three decimals, the last of which must be 0. https://docs.stripe.com/currencies#three-decimal */
export const threeDecimal: ReadonlySet<string> = new Set('bhd jod kwd omr tnd'.split(' '));

/** Given with two decimals for compatibility, although only whole units exist. https://docs.stripe.com/currencies#special-cases */
export const wholeUnitsTimes100: ReadonlySet<string> = new Set(['isk', 'ugx']);

const twoDecimal =
  'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc ' +
  'cve czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr isk jmd kes kgs khr kyd ' +
  'kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr ' +
  'pln qar ron rsd rub sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah ugx uyu uzs wst xcd ' +
  'yer zar zmw';

export const currencies: ReadonlySet<string> = new Set([...twoDecimal.split(' '), ...zeroDecimal, ...threeDecimal]);

/**
 * The least that may be charged, in the smallest unit: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
 * Other currencies must convert to at least 50 cents; those that are far from the dollar have a rough rate's worth.
 */
export const minimums: ReadonlyMap<string, number> = new Map(
  Object.entries({
    usd: 50,
    aed: 200,
    aud: 50,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1500,
    dkk: 250,
    eur: 50,
    gbp: 30,
    hkd: 400,
    huf: 17_500,
    inr: 50,
    jpy: 50,
    mxn: 1000,
    myr: 200,
    nok: 300,
    nzd: 50,
    pln: 200,
    ron: 200,
    sek: 300,
    sgd: 50,
    thb: 1000,
    bif: 1500,
    clp: 450,
    djf: 90,
    gnf: 4300,
    kmf: 225,
    krw: 700,
    mga: 2300,
    pyg: 3700,
    rwf: 720,
    vnd: 13_000,
    vuv: 60,
    xaf: 300,
    xof: 300,
    xpf: 55,
    isk: 7000,
    ugx: 180_000,
    bhd: 190,
    jod: 360,
    kwd: 160,
    omr: 200,
    tnd: 1500,
  }),
);

/** Where nothing is known a currency is taken for a dollar. */
export const defaultMinimum = 50;
