/** The transport of a request over HTTP. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyCaller } from "../callers/caller.ts";
import { withoutKey } from "../callers/secrets.ts";
import type { Transport } from "../calls/call.ts";
import { endedStatus, whenEnded } from "../http/answer.ts";
import { siteOf } from "../http/links.ts";

export class HttpTransport implements Transport {
	readonly #request: FastifyRequest;
	readonly #reply: FastifyReply;
	readonly #publicUrl: string | undefined;
	readonly tokenCaller: KeyCaller | undefined;

	/** `publicUrl`: the configured URL at which clients reach this server, if any. `tokenCaller`: see `Transport`. */
	constructor(request: FastifyRequest, reply: FastifyReply, publicUrl?: string, tokenCaller?: KeyCaller) {
		this.#request = request;
		this.#reply = reply;
		this.#publicUrl = publicUrl;
		this.tokenCaller = tokenCaller;
	}

	get id() {
		return this.#request.id;
	}
	get method() {
		return this.#request.method;
	}
	get headers() {
		return this.#request.headers;
	}
	get ip() {
		return this.#request.ip;
	}
	get path() {
		return this.#request.params as Record<string, string>;
	}
	/** The unparsed query, because `app.ts` configures the router not to parse it. */
	get query() {
		return (this.#request.query as { text: string }).text;
	}
	/** Undefined before the body is read. */
	get body() {
		return this.#request.body as Buffer | undefined;
	}
	get url() {
		return `${this.site}${withoutKey(this.#request.raw.url ?? "/")}`;
	}
	get site() {
		return siteOf(this.#publicUrl, this.#request);
	}
	get closed() {
		return this.#reply.raw.closed;
	}
	get status() {
		return endedStatus(this.#reply);
	}
	setHeaders(headers: Record<string, string>) {
		this.#reply.headers(headers);
	}
	whenEnded(then: () => void) {
		whenEnded(this.#reply, then);
	}
}
