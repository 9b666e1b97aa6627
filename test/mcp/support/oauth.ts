/** Steps by which a person and an assistant connect: a browser with its cookies, and raw requests of a client. */
import { createHash, randomBytes } from "node:crypto";

/** A client on this machine may listen at any port. */
export const redirectUri = "http://127.0.0.1:7/callback";

/** A browser that follows redirects and refreshes up to another site, and fills in the form of the consent page. */
export class Browser {
	readonly #cookies = new Map<string, string>();
	/** The last page, and its address. */
	page = "";
	address = "";
	headers = new Headers();
	status = 0;

	/** @returns the address of another site that the browser is sent to; undefined at a page */
	async open(address: string | URL, init: RequestInit = {}): Promise<URL | undefined> {
		const at = new URL(address);
		const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const headers = { accept: "text/html", cookie, ...(init.headers as Record<string, string>) };
		const response = await fetch(at, { ...init, headers, redirect: "manual" });
		for (const set of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
			this.#cookies.set(name, value);
		}
		[this.address, this.status, this.headers] = [at.href, response.status, response.headers];
		this.page = await response.text();
		const next = response.headers.get("location") ?? response.headers.get("refresh")?.replace("0; url=", "");
		if (next === undefined) return undefined;
		const to = new URL(next, at);
		return to.origin === at.origin ? this.open(to) : to;
	}

	/** Sends the form of the page that is open. */
	submit(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<URL | undefined> {
		const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(this.page) ?? [];
		const body = new URLSearchParams({ decision: "connect", ...fields });
		return this.open(new URL(action, this.address), { method: "POST", body, headers });
	}
}

export async function registerClient(base: string, metadata: object = {}): Promise<Response> {
	return fetch(`${base}/oauth/register`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ client_name: "Helper", redirect_uris: [redirectUri], ...metadata }),
	});
}

export interface Started {
	clientId: string;
	verifier: string;
	url: URL;
}

/** A registered client and its authorization request; `change` makes it another. */
export async function begin(base: string, change: Record<string, string | undefined> = {}): Promise<Started> {
	const { client_id: clientId } = (await (await registerClient(base)).json()) as { client_id: string };
	const verifier = randomBytes(32).toString("base64url");
	const parameters = {
		response_type: "code",
		client_id: clientId,
		redirect_uri: redirectUri,
		code_challenge: createHash("sha256").update(verifier).digest("base64url"),
		code_challenge_method: "S256",
		resource: `${base}/mcp`,
		state: "a state",
		...change,
	};
	const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
	return { clientId, verifier, url: new URL(`${base}/oauth/authorize?${new URLSearchParams(given)}`) };
}

/** The code that a client gets once the owner of the key has consented. */
export async function codeFor({ url }: Started, key: string): Promise<string> {
	const browser = new Browser();
	await browser.open(url);
	const back = await browser.submit({ api_key: key });
	const code = back?.searchParams.get("code");
	if (!code) throw new Error(`no code: ${back?.href ?? browser.page}`);
	return code;
}

export interface Tokens {
	access_token: string;
	refresh_token: string;
	error?: string;
}

export async function requestTokens(base: string, fields: Record<string, string>) {
	const response = await fetch(`${base}/oauth/token`, { method: "POST", body: new URLSearchParams(fields) });
	return { status: response.status, json: (await response.json()) as Tokens };
}

export const redeem = (
	base: string,
	{ clientId, verifier }: Started,
	code: string,
	change: Record<string, string> = {},
) =>
	requestTokens(base, {
		...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirectUri },
		...{ code, code_verifier: verifier, ...change },
	});

/** A connection by raw requests. */
export async function connectRaw(base: string, key: string): Promise<Tokens & { clientId: string }> {
	const started = await begin(base);
	const { status, json } = await redeem(base, started, await codeFor(started, key));
	if (status !== 200) throw new Error(JSON.stringify(json));
	return { ...json, clientId: started.clientId };
}
