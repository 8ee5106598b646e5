import { DEFAULT_NAMESPACE, startTemporal, type StartOptions } from './start.js';

export interface ResolvedTemporal {
  address: string;
  /** Known only of a server that was started here. */
  uiUrl?: string;
  namespace: string;
  /** Ends the server if it was started here. */
  stop: () => Promise<void>;
}

/** The server to use: the one that `TEMPORAL_ADDRESS` names, which is not ours to stop, or else one started here. */
export async function resolveTemporal(options: StartOptions = {}): Promise<ResolvedTemporal> {
  const env = options.env ?? process.env;
  const namespace = env['TEMPORAL_NAMESPACE'] || DEFAULT_NAMESPACE;
  const given = env['TEMPORAL_ADDRESS'];
  if (given) {
    options.log?.(`temporal: ${given}, by TEMPORAL_ADDRESS; no server is started`);
    return { address: given, namespace, stop: () => Promise.resolve() };
  }
  const { address, uiUrl, stop } = await startTemporal({
    ...options,
    namespaces: [namespace, ...(options.namespaces ?? [])],
  });
  return { address, ...(uiUrl === undefined ? {} : { uiUrl }), namespace, stop };
}
