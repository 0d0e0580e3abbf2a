import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the program asked. */
export interface Asked {
  headers: IncomingMessage['headers'];
  body: {
    model?: string;
    stream?: boolean;
    messages?: { role: string; content?: unknown; tool_calls?: unknown }[];
    [member: string]: unknown;
  };
}

interface Usage {
  prompt: number;
  completion: number;
}

type Act = (response: ServerResponse, asked: Asked) => void;

/**
 * The answer to one request, piece by piece, whenever the test says so. What is said before the request has come
 * waits for it; what is said after it goes out at once.
 */
export class Reply {
  /** Settles when the request has come. */
  readonly asked: Promise<Asked>;
  /** Settles when the program has let go of it, before its end or after. */
  readonly closed: Promise<void>;
  private arrive: (asked: Asked) => void = () => undefined;
  private close: () => void = () => undefined;
  private readonly acts: Act[] = [];
  private open: { response: ServerResponse; asked: Asked } | null = null;
  private spoken = '';
  private calls = 0;

  constructor() {
    this.asked = new Promise((resolve) => (this.arrive = resolve));
    this.closed = new Promise((resolve) => (this.close = resolve));
  }

  text(content: string): this {
    this.spoken += content;
    return this.delta({ content });
  }

  thinking(reasoning_content: string): this {
    return this.delta({ reasoning_content });
  }

  toolCall(name: string, args: unknown, id = `call_${this.calls + 1}`): this {
    const call = { name, arguments: JSON.stringify(args) };
    return this.delta({ tool_calls: [{ index: this.calls++, id, type: 'function', function: call }] });
  }

  /** Ends the answer as a server does. */
  done(finish_reason = this.calls > 0 ? 'tool_calls' : 'stop', usage: Usage = { prompt: 100, completion: 20 }): this {
    const { prompt, completion } = usage;
    const counted = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return this.act((response, asked) => {
      if (asked.body.stream) {
        send(response, { choices: [{ index: 0, delta: {}, finish_reason }] });
        send(response, { choices: [], usage: counted });
        response.end('data: [DONE]\n\n');
      } else {
        const message = { role: 'assistant', content: this.spoken };
        answer(response, 200, { choices: [{ index: 0, message, finish_reason }], usage: counted });
      }
    });
  }

  /** Breaks the connection off in the middle of it. */
  breakOff(): this {
    return this.act((response) => response.destroy());
  }

  /** Refuses, as a server that is busy, that does not know the key, or whose window is full. */
  error(status: number, message: string, { headers = {}, code = '' } = {}): this {
    return this.act((response) => {
      answer(response, status, { error: { message, type: code || 'error', code: code || null } }, headers);
    });
  }

  /** Hands the request over, for the server only. */
  take(response: ServerResponse, asked: Asked): void {
    response.on('close', this.close);
    this.open = { response, asked };
    this.arrive(asked);
    for (const act of this.acts.splice(0)) act(response, asked);
  }

  private delta(delta: Record<string, unknown>): this {
    return this.act((response, asked) => {
      if (asked.body.stream) send(response, { choices: [{ index: 0, delta, finish_reason: null }] });
    });
  }

  private act(act: Act): this {
    if (this.open) act(this.open.response, this.open.asked);
    else this.acts.push(act);
    return this;
  }
}

/** A model behind the interface that everybody speaks. It says what the test lets it say, and nothing else. */
export class Model {
  readonly models = ['test-model', 'other-model'];
  /** Everything it was asked to answer, in order. */
  readonly asked: Asked[] = [];
  /** What the list of models is refused with; 0 for the list. */
  listStatus = 0;
  private readonly replies: Reply[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** What the program finds it by. */
  get environment(): NodeJS.ProcessEnv {
    return { PALIMPSEST_BASE_URL: this.url, PALIMPSEST_MODEL: this.models[0] };
  }

  /** Is again as if nobody had asked it, or told it what to say. */
  forget(): void {
    this.asked.length = this.replies.length = this.listStatus = 0;
  }

  static async start(): Promise<Model> {
    const server = createServer((request, response) => void model.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const model = new Model(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    return model;
  }

  /** Scripts the answer to the next request that has none yet. */
  reply(): Reply {
    const reply = new Reply();
    this.replies.push(reply);
    return reply;
  }

  /** Scripts a whole answer. */
  says(text: string): Reply {
    return this.reply().text(text).done();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/v1/models')) {
      if (this.listStatus) answer(response, this.listStatus, { error: { message: 'no list today' } });
      else answer(response, 200, { object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) });
      return;
    }
    if (request.url !== '/v1/chat/completions') {
      answer(response, 404, { error: { message: `no ${request.url}` } });
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = { headers: request.headers, body: JSON.parse(body) as Asked['body'] };
    this.asked.push(asked);
    const reply = this.replies.shift();
    if (reply) reply.take(response, asked);
    // 400 is not tried again.
    else answer(response, 400, { error: { message: 'the test says nothing to this' } });
  }
}

function send(response: ServerResponse, more: Record<string, unknown>): void {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test-model', ...more };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
