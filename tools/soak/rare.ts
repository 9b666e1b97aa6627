/** Infrequent requests beside the steady reads: those that hold on to something for a while. */
import { connect } from "../../test/mcp/support/client.ts";

type RareRequest = (url: string, key: string) => Promise<void>;

const drain = async (response: Response, expected: number): Promise<void> => {
	const body = await response.text();
	if (response.status !== expected)
		throw new Error(`${response.url} answered ${response.status}: ${body.slice(0, 200)}`);
};
const withKey = (key: string) => ({ "x-api-key": key });

const turns: Record<string, RareRequest> = {
	export: async (url, key) => drain(await fetch(`${url}/export/projects?format=csv`, { headers: withKey(key) }), 200),
	"export in Parquet": async (url, key) =>
		drain(await fetch(`${url}/export/projects?format=parquet`, { headers: withKey(key) }), 200),
	async "export that its caller leaves"(url, key) {
		const leave = new AbortController();
		const response = await fetch(`${url}/export/projects?format=csv`, { headers: withKey(key), signal: leave.signal });
		await response.body?.getReader().read();
		leave.abort();
	},
	async statement(url, key) {
		const headers = { ...withKey(key), "content-type": "application/json" };
		const body = JSON.stringify({ database: "master", sql: "select status_std, count(*) from projects group by 1" });
		await drain(await fetch(`${url}/query`, { method: "POST", headers, body }), 200);
	},
	async "statement that is refused"(url, key) {
		const headers = { ...withKey(key), "content-type": "application/json" };
		const body = JSON.stringify({ database: "master", sql: "delete from projects" });
		await drain(await fetch(`${url}/query`, { method: "POST", headers, body }), 400);
	},
	async tool(url, key) {
		await using connected = await connect(url, { headers: withKey(key) });
		const { isError } = await connected.call("get_stats");
		if (isError) throw new Error("a tool failed");
	},
	"unknown key": async (url) => drain(await fetch(`${url}/projects`, { headers: withKey("unknown") }), 403),
	"address that is none": async (url) => drain(await fetch(`${url}/nowhere`), 404),
	async list(url) {
		const response = await fetch(`${url}/projects?per_page=500`, { headers: { "accept-encoding": "gzip" } });
		await drain(response, 200);
	},
};

/** A turn a second, one kind after the other, until disposed. Answers the turns that failed by what they said, with how often. */
export function doRareThings(url: string, key: string): AsyncDisposable & { readonly failures: Map<string, number> } {
	const failures = new Map<string, number>();
	const names = Object.keys(turns);
	let nth = 0;
	let last = Promise.resolve();
	const timer = setInterval(() => {
		const name = names[nth++ % names.length] ?? "";
		last = (turns[name]?.(url, key) ?? Promise.resolve()).catch((error: Error) => {
			const failure = `${name}: ${error.message}`;
			failures.set(failure, (failures.get(failure) ?? 0) + 1);
		});
	}, 1_000);
	return {
		failures,
		async [Symbol.asyncDispose]() {
			clearInterval(timer);
			await last;
		},
	};
}
