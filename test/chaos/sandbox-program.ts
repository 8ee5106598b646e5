import type { Effects, FaultRule } from '../../src/sandbox/sandbox.js';
import { Program } from './program.js';

interface Ready {
  ports: { control: number; stripe: number; mail: number };
  url: string;
  stripeUrl: string;
  mailUrl: string;
}

/** The outside world as a process with a database file: killed and started again, it goes on on the same ports. */
export class SandboxProgram {
  private readonly program: Program;
  private ready: Ready | undefined;

  constructor(
    private readonly database: string,
    logFile: string,
  ) {
    this.program = new Program('../../src/sandbox/main.ts', logFile);
  }

  get addresses(): Ready {
    if (!this.ready) throw new Error('The sandbox was never started');
    return this.ready;
  }

  async start(): Promise<void> {
    const { control = 0, stripe = 0, mail = 0 } = this.ready?.ports ?? {};
    const ports = {
      SANDBOX_PORT: String(control),
      SANDBOX_STRIPE_PORT: String(stripe),
      SANDBOX_MAIL_PORT: String(mail),
    };
    this.ready = (await this.program.start({
      ...ports,
      SANDBOX_HOST: '127.0.0.1',
      SANDBOX_DB: this.database,
    })) as Ready;
  }

  kill = (): Promise<void> => this.program.kill();
  stop = (): Promise<void> => this.program.stop();

  effects = (): Promise<Effects> => this.control<Effects>('GET', '/effects');
  addFault = (rule: FaultRule): Promise<unknown> => this.control('POST', '/faults', rule);
  clearFaults = (): Promise<unknown> => this.control('DELETE', '/faults');
  advanceClock = (advance: string): Promise<unknown> => this.control('POST', '/clock', { advance });

  private async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.addresses.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
