/** The raw files of operators, which leave through no address: recognised by their bytes in whatever the service sends. */
import { hash } from "node:crypto";
import { expect } from "vitest";
import { readArchivedBytes } from "../../../services/queue-ingest/provenance/read-rows.ts";
import { sources } from "../../../services/queue-ingest/queues/sources/index.ts";
import type { World } from "../../support/world.ts";

/** Runs of bytes by the hash of their file. */
export type RawFiles = ReadonlyMap<string, readonly Buffer[]>;

/** The operators' lists that are archived now. */
export async function operatorsFiles({ sql }: World): Promise<RawFiles> {
	const feeds = sources.filter(({ region }) => region !== null).map(({ feed }) => feed);
	const lists = await sql<{ sha256: string }[]>`
		select distinct sha256 from snapshot_files where feed in ${sql(feeds)}`;
	const files = new Map<string, Buffer[]>();
	// Workbooks of one program begin alike: what a file that may be passed on has too tells no list.
	const open = (await sharedFiles(sql)).map((bytes) => bytes.toString("latin1"));
	for (const { sha256 } of lists) {
		const runs = runsOf(Buffer.from(await readArchivedBytes(sql, sha256)));
		const own = runs.filter((run) => !open.some((bytes) => bytes.includes(run.toString("latin1"))));
		expect([sha256, own.length > runs.length / 2]).toEqual([sha256, true]);
		files.set(sha256, own);
	}
	return files;
}

/** Archived files of the feed whose bytes the walk requests. */
async function sharedFiles(sql: World["sql"]): Promise<Buffer[]> {
	const files = await sql<{ sha256: string }[]>`
		select distinct f.sha256 from snapshot_files f join raw_files using (sha256) where f.feed = 'eia860'`;
	return Promise.all(files.map(async ({ sha256 }) => Buffer.from(await readArchivedBytes(sql, sha256))));
}

/** Hashes of the files that the body is or contains a run of. */
export const leaks = (files: RawFiles, body: Buffer): string[] =>
	[...files].flatMap(([sha256, runs]) =>
		hash("sha256", body, "hex") === sha256 || runs.some((run) => body.includes(run)) ? [sha256] : [],
	);

/** Requests every page, and each of the files by its hash. */
export async function expectNoFileLeaves({ url }: World, files: RawFiles, key: string): Promise<void> {
	for (const page of await pagesOf(url)) expect(leaks(files, page)).toEqual([]);
	const headers = { "x-api-key": key };
	for (const sha256 of files.keys()) {
		const known = await fetch(`${url}/files/${sha256}`, { headers });
		expect([known.status, leaks(files, Buffer.from(await known.arrayBuffer()))]).toEqual([200, []]);
		const bytes = await fetch(`${url}/files/${sha256}/bytes`, { headers });
		expect([bytes.status, leaks(files, Buffer.from(await bytes.arrayBuffer()))]).toEqual([403, []]);
	}
}

/** Runs of a file's bytes by which it is known wherever it stands: as it is, within a text of JSON, or in base64. */
export function runsOf(bytes: Buffer): Buffer[] {
	const length = Math.min(200, bytes.length);
	const starts = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.floor(share * (bytes.length - length)));
	const plain = starts.map((at) => bytes.subarray(at, at + length));
	const quoted = plain.map((run) => Buffer.from(JSON.stringify(run.toString()).slice(1, -1)));
	return [...plain, ...quoted, Buffer.from(bytes.subarray(0, 198).toString("base64"))];
}

/** Every page and what it loads. */
async function pagesOf(base: string): Promise<Buffer[]> {
	const headers = { accept: "text/html" };
	const paths = ["/", "/explore", "/changes", "/scores", "/sql", "/status", "/reconciliation", "/docs", "/dispute"];
	const found: Buffer[] = [];
	const loaded = new Set<string>();
	for (const path of paths) {
		const text = await (await fetch(base + path, { headers })).text();
		found.push(Buffer.from(text));
		for (const [, link = ""] of text.matchAll(/(?:src|href)="(\/[^"]*)"/g)) loaded.add(link);
	}
	for (const link of loaded) found.push(Buffer.from(await (await fetch(base + link)).arrayBuffer()));
	return found;
}
