/** Downloads the exports of a service in one state of its data, and reads which sources they come from. */
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { regions } from "#libs/contract/vocabulary.ts";
import { hashOf } from "#libs/parquet/encode.ts";
import { literal } from "#libs/parquet/quote.ts";
import { UserError } from "../../deploy/local/program.ts";
import { download } from "../../libs/client/src/cli/download.ts";
import type { Client, Reply } from "../../libs/client/src/index.ts";
import { exportOperations } from "../../services/gateway/documents/dataset-ld.ts";
import { type HttpOperation, httpOperations } from "../../services/gateway/registry/bindings.ts";

export interface ReleaseFile {
	name: string;
	/** Path and query of the export. */
	address: string;
	manifest: Reply<"getExportManifest">;
}

/**
 * Requests of the operators, also those that are no longer listed. Utilities are left out, because some of their lists may not be
 * republished without permission.
 */
const parameters: Partial<Record<string, Record<string, string>>> = {
	exportProjects: { region: regions.join(), include_unlisted: "true" },
	exportChanges: { region: regions.join() },
};

/** Attempts to download the files before the data changes. */
const attempts = 5;

export async function downloadFiles(client: Client, folder: string): Promise<ReleaseFile[]> {
	for (let attempt = 1; attempt <= attempts; attempt++) {
		const states = new Map<string, number>();
		const files: ReleaseFile[] = [];
		for (const each of exportOperations()) {
			const file = await downloadFile(client, each, folder);
			const { data_version, sha256 } = file.manifest;
			const state = states.get(each.operation.owner) ?? data_version;
			if (state !== data_version || sha256 !== (await hashOf(join(folder, file.name)))) break;
			states.set(each.operation.owner, state);
			files.push(file);
		}
		if (files.length === exportOperations().length) return files;
	}
	throw new UserError("The data changed during each download. Try again when no list is being loaded.");
}

async function downloadFile(client: Client, { name, http }: HttpOperation, folder: string): Promise<ReleaseFile> {
	const params = { ...parameters[name], format: "parquet" } as never;
	const described = httpOperations().find((each) => each.http.path === `${http.path}/manifest`);
	if (described === undefined) throw new Error(`${name} has no manifest`);
	const manifest = (await client[described.name as "getExportManifest"](params)) as ReleaseFile["manifest"];
	const file = `${http.path.replace("/export/", "")}.parquet`;
	const fetchFile = (headers: Record<string, string>) => client.response(name as "exportProjects", params, { headers });
	await download(fetchFile, join(folder, file), () => {});
	const query = new URLSearchParams(parameters[name]);
	return { name: file, address: `${http.path}.parquet${query.size === 0 ? "" : `?${query}`}`, manifest };
}

type Source = Reply<"getDataCatalog">["datasets"][number]["sources"][number];

export interface Sources {
	/** By name; those with records in the files. */
	sources: Source[];
	/** Whether any of the data is the bundled sample. */
	isSample: boolean;
}

/** Datasets that exports contain, by their names in `/catalog/data`. */
const released = ["queues", "developers", "scores", "grid", "market"];

export async function readSources(client: Client, projects: string): Promise<Sources> {
	const { datasets, not_available } = await client.getDataCatalog();
	if (not_available.length > 0) throw new UserError(`These services do not respond: ${not_available.join(", ")}.`);
	const ours = datasets.filter(({ name }) => released.includes(name));
	const feeds = await withDuckDb(async (connection) => {
		const rows = await connection.runAndReadAll(`select distinct feed from read_parquet(${literal(projects)})`);
		return new Set(rows.getRows().map(([feed]) => feed));
	});
	const sources = ours.flatMap(({ name, sources }) =>
		sources.filter(({ source, records }) => (name === "queues" ? feeds.has(source) : (records ?? 0) > 0)),
	);
	return {
		sources: sources.sort((one, other) => (one.source < other.source ? -1 : 1)),
		isSample: ours.some(({ sample }) => sample === true),
	};
}

export async function withDuckDb<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	try {
		return await work(connection);
	} finally {
		connection.closeSync();
	}
}
