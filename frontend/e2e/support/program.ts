import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const TOKEN = 'token-of-the-end-to-end-tests';

const BIN =
  process.env.PALIMPSEST_BIN ?? fileURLToPath(new URL('../../../build/bin/palimpsest-headless', import.meta.url));

function environment(home: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  // Without a message bus there is no keychain: nobody's own is asked.
  const bus = { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: `${home}.run` };
  return {
    ...process.env,
    AGENT_HOME: home,
    XDG_CACHE_HOME: `${home}.cache`,
    HOME: `${home}.user`,
    PALIMPSEST_AUTO_NAME: 'off', // a name is one request more, for which no test has an answer
    ...bus,
    ...more,
  };
}

/** Runs one verb of the program as any other process would, and returns the document it prints. */
export function run(home: string, args: string[], input = ''): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = execFile(BIN, [...args, '--json'], { env: environment(home) }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`));
      else resolve(JSON.parse(stdout));
    });
    // A verb that reads nothing may have ended before this is written.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** The program as `serve` offers it. */
export class Program {
  private constructor(
    private readonly child: ChildProcess,
    /** The address with the token, as printed. */
    readonly url: string,
  ) {}

  static async start(
    home: string,
    { listen = '127.0.0.1:0', args = [] as string[], env = {} as NodeJS.ProcessEnv } = {},
  ): Promise<Program> {
    const child = spawn(BIN, ['serve', '--json', '--listen', listen, '--token', TOKEN, ...args], {
      env: environment(home, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { url } = await announced(child);
    return new Program(child, url);
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it as Ctrl-C does, and returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.running) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGINT');
      await ended;
    }
    return this.child.exitCode;
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Asks as any client does; a body makes it a POST. */
  ask(path: string, { token = TOKEN, body }: { token?: string; body?: unknown } = {}): Promise<Response> {
    const headers = { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) };
    const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
    return fetch(`${this.origin}/api/${path}`, init);
  }

  async put(path: string, body: unknown): Promise<void> {
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${this.origin}/api/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  async get<T>(path: string): Promise<T> {
    const response = await this.ask(path);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

function announced(child: ChildProcess): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    let said = '';
    let complaint = '';
    child.stderr?.on('data', (data: Buffer) => (complaint += data.toString()));
    child.stdout?.on('data', (data: Buffer) => {
      said += data.toString();
      try {
        resolve(JSON.parse(said) as { url: string });
      } catch {
        // Not all of it is there yet.
      }
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`serve ended with ${code}: ${said}${complaint}`));
    });
  });
}
