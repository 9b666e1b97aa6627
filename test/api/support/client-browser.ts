/** The packed client in Chromium: its files as they are, from a server of another origin than the service, in a page and in a module worker. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../../web/browser.ts";
import { listen } from "./proxy.ts";

export interface Asked {
	url: string;
	key: string;
	/** Unknown ones: asked with one after the other until that is too often. */
	unknownKeys: string[];
	/** Changes that its stream is read for. */
	changes: number;
	/** Paths whose header names are returned. */
	paths: string[];
	webhook: { body: string; headers: Record<string, string>; secret: string };
}

export interface Found {
	ids: string[];
	seqs: number[];
	streamed: string[];
	message: unknown;
	forged: string;
	refused: { status: number; code: string; requestId?: string };
	tooMany: { status: number; retryAfterSeconds?: number };
	/** Names of the headers that a program may read, by path. */
	headers: Record<string, string[]>;
	/** The global object's class. */
	scope: string;
}

export interface ClientBrowser extends AsyncDisposable {
	runIn(where: "page" | "worker", asked: Asked): Promise<Found>;
	/** One call in a page, paid for by what `sign` returns. */
	pay(url: string, sign: (offered: string | null) => Promise<Record<string, string>>): Promise<Paid>;
}

export interface Paid {
	spentUsd: number;
	receipt: string | null;
}

const program = `
import { createClient, verifyWebhook } from "/client/index.js";

export async function run({ url, key, unknownKeys, changes, paths, webhook }) {
	const data = createClient({ baseUrl: url, key });
	const ids = [];
	for await (const { id } of data.rows("listProjects", { per_page: 50 })) ids.push(id);
	const seqs = [];
	for await (const { seq } of data.feed({ after: 0, per_page: 7 })) seqs.push(seq);
	const streamed = [];
	for await (const { id } of data.events("streamChanges", { after: 0 })) if (streamed.push(id) === changes) break;
	const refusal = (call) => call.then(() => ({}), ({ status, code, requestId, retryAfterSeconds }) => ({ status, code, requestId, retryAfterSeconds }));
	const refused = await refusal(data.listProjects({ per_page: 501 }));
	let tooMany = {};
	for (const unknown of unknownKeys)
		if (tooMany.status !== 429)
			tooMany = await refusal(createClient({ baseUrl: url, key: unknown, attempts: 1 }).listProjects());
	const headers = {};
	for (const path of paths) {
		const stop = new AbortController();
		const answered = await fetch(url + path, { headers: { "x-api-key": key }, signal: stop.signal });
		headers[path] = [...answered.headers.keys()];
		stop.abort();
	}
	const verify = (body) => verifyWebhook(body, new Headers(webhook.headers), webhook.secret);
	const message = await verify(webhook.body);
	const forged = await verify(webhook.body + " ").then(() => "", (error) => error.message);
	return { ids, seqs, streamed, refused, tooMany, headers, message, forged, scope: globalThis.constructor.name };
}

export async function pay(url) {
	let receipt = null;
	const kept = async (...asked) => {
		const answered = await fetch(...asked);
		receipt = answered.headers.get("payment-response");
		return answered;
	};
	const sign = ({ headers }) => globalThis.signPayment(headers.get("payment-required"));
	const data = createClient({ baseUrl: url, fetch: kept, payment: { maxUsd: 0.015, sign } });
	await data.listProjects();
	return { spentUsd: data.spentUsd, receipt };
}
`;

const worker = `
import { run } from "/program.js";
onmessage = ({ data }) => run(data).then((found) => postMessage({ found }), (error) => postMessage({ wrong: String(error?.stack ?? error) }));
postMessage({ isReady: true });
`;

/** Runs in a page: starts the worker and returns its answer. */
const inWorker = (asked: Asked) => `new Promise((resolve, reject) => {
	const worker = new Worker("/worker.js", { type: "module" });
	worker.onerror = (event) => reject(new Error(event.message || "the worker could not be loaded"));
	worker.onmessage = ({ data: { isReady, found, wrong } }) => {
		if (isReady) worker.postMessage(${JSON.stringify(asked)});
		else if (wrong !== undefined) reject(new Error(wrong));
		else resolve(found);
	};
})`;

/** `folder`: of the installed package. */
export async function openClientBrowser(folder: string): Promise<ClientBrowser> {
	await using stack = new AsyncDisposableStack();
	const pages = stack.use(
		await listen(({ url = "/" }, answer) => {
			const [, file] = /^\/client\/([\w-]+\.js)$/.exec(url) ?? [];
			const text =
				file !== undefined
					? readFileSync(join(folder, "dist", file), "utf8")
					: { "/program.js": program, "/worker.js": worker }[url];
			answer.setHeader("content-type", text === undefined ? "text/html" : "text/javascript");
			answer.end(text ?? "<!doctype html><title>client</title>");
		}),
	);
	const browser = await launch();
	stack.defer(() => browser.close());
	const owned = stack.move();
	async function openPage() {
		const page = await browser.newPage();
		await page.goto(pages.url);
		return page;
	}
	return {
		async runIn(where, asked) {
			const page = await openPage();
			const inPage = `import("/program.js").then(({ run }) => run(${JSON.stringify(asked)}))`;
			return (await page.evaluate(where === "page" ? inPage : inWorker(asked))) as Found;
		},
		async pay(url, sign) {
			const page = await openPage();
			await page.exposeFunction("signPayment", sign);
			return (await page.evaluate(`import("/program.js").then(({ pay }) => pay(${JSON.stringify(url)}))`)) as Paid;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Headers that no program needs: of the connection, and for the browser itself. */
const unread =
	/^(access-control-.*|connection|content-(encoding|security-policy)|cross-origin-.*|date|keep-alive|referrer-policy|transfer-encoding|vary|x-accel-buffering|x-content-type-options)$/;

/** Names of the headers that a program is sent, by path. */
export async function headersOf(base: string, paths: string[], key: string): Promise<Record<string, string[]>> {
	const found: Record<string, string[]> = {};
	for (const path of paths) {
		const stop = new AbortController();
		const { headers } = await fetch(base + path, { headers: { "x-api-key": key }, signal: stop.signal });
		found[path] = [...headers.keys()].filter((name) => !unread.test(name));
		stop.abort();
	}
	return found;
}
