/** Everybody whom the live jobs ask, on one local server: files under addresses, and what was asked of whom. */
import { createServer, type IncomingMessage } from "node:http";
import type { Sql } from "#libs/postgres/connect.ts";
import { createLogger } from "#libs/service/logger.ts";
import { type RefreshOptions, refreshNow } from "../../../services/signals/ingest/refresh.ts";
import type { Hosts, Policy } from "../../../services/signals/polling/hosts.ts";
import type { PollResult } from "../../../services/signals/polling/poll.ts";
import type { Pipeline } from "../../../services/signals/records/records.ts";

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body?: string | Uint8Array;
}

export interface Publishers extends AsyncDisposable {
	hosts: Hosts;
	/** Responses by path, or by path and query; others are 404. */
	files: Map<string, Answer | ((request: IncomingMessage) => Answer)>;
	/** Paths with their queries, in the order in which they were asked for. */
	asked: string[];
	headers: IncomingMessage["headers"][];
	/** Requested addresses since the last call that contain `part`. */
	askedFor(part: string): string[];
	options(now: string): RefreshOptions;
	/** A turn of a pipeline, whatever is due, with the result of each part by its name. */
	turn(sql: Sql, pipeline: Pipeline, now: string, signal?: AbortSignal): Promise<Record<string, PollResult>>;
}

/** Asked without a pause; 403 is "no such file", as SEC's store answers. */
const quick: Policy = {
	name: "publishers",
	perSecond: 10_000,
	burst: 10_000,
	coolDownMs: 600_000,
	refusal: /too often/,
};

export async function startPublishers(): Promise<Publishers> {
	const files: Publishers["files"] = new Map();
	const addresses: string[] = [];
	const headers: IncomingMessage["headers"][] = [];
	const server = createServer((request, response) => {
		const address = request.url ?? "";
		addresses.push(address);
		headers.push(request.headers);
		const file = files.get(address) ?? files.get(address.split("?", 1)[0] ?? "") ?? { status: 404 };
		const answer = typeof file === "function" ? file(request) : file;
		response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? "");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const at = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
	const hosts: Hosts = {
		sec: `${at}/sec`,
		data: `${at}/data`,
		search: `${at}/search`,
		gkg: [`${at}/gkg/`, `${at}/mirror/`],
		gdelt: `${at}/gdelt`,
		feeds: [
			{ name: "one.example", url: `${at}/one/feed` },
			{ name: "two.example", url: `${at}/two/feed` },
		],
	};
	const log = createLogger({ name: "test", level: "silent" });
	const options = (now: string): RefreshOptions => ({
		log,
		now: () => new Date(now),
		contact: "Example Org data@example.org",
		hosts,
		policy: () => quick,
	});
	return {
		hosts,
		files,
		asked: addresses,
		headers,
		options,
		askedFor: (part) => addresses.splice(0).filter((path) => path.includes(part)),
		async turn(sql, pipeline, now, signal = new AbortController().signal) {
			const looks = await refreshNow(sql, pipeline, options(now), signal);
			return Object.fromEntries((looks ?? []).map((look) => [look.feed.slice(pipeline.length + 1), look]));
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A page of EDGAR's feed of the latest filings. */
export const atomPage = (entries: readonly string[]): Answer => ({
	body: `<?xml version="1.0" encoding="ISO-8859-1" ?>
		<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>
		<link rel="self" href="/cgi-bin/browse-edgar?action=getcurrent"/>${entries.join("\n")}</feed>`,
});

export function atomEntry(form: string, company: string, accession: string, items: readonly string[] = []): string {
	const published = items.map((item) => `&lt;br&gt;Item ${item}: Words\n`).join("");
	return `<entry><title>${form} - ${company} (Filer)</title>
		<summary type="html">\n &lt;b&gt;Filed:&lt;/b&gt; 2026-11-18 &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; 9 KB\n${published}</summary>
		<updated>2026-11-18T10:45:00-05:00</updated>
		<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
		<id>urn:tag:sec.gov,2008:accession-number=${accession}</id></entry>`;
}
