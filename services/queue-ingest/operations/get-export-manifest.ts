import { createHash } from "node:crypto";
import { type Handler, operations, type Params, type Reply } from "#libs/contract/index.ts";
import { keepRecent } from "#libs/contract/keep-recent.ts";
import { projectColumns, projectSchemaVersion } from "#libs/contract/operations/project-columns.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { exportBytes, formatOf } from "./export-projects.ts";
import { openRows } from "./export-rows.ts";

type Manifest = Reply<"getExportManifest">;

/**
 * A stream of one chunk: the hash of a million rows takes longer than a request may. Who asks for the same meanwhile waits for the same
 * reading, which ends when nobody is left; what it found is kept until the data changes.
 */
export function getExportManifest(sql: Sql): Handler<"getExportManifest"> {
	const readings = new Map<string, Reading>();
	const kept = new Map<string, Manifest>();
	return async function* (params, { signal, head, progress = () => {} }) {
		const key = JSON.stringify({ ...params, format: formatOf(params) });
		const version = await readDataVersion(sql);
		let manifest = kept.get(key);
		if (manifest?.data_version !== version) {
			let reading = readings.get(key);
			if (reading === undefined) {
				const begun = new Reading(sql, params, (found) => {
					if (found !== undefined) keepRecent(kept, key, found, mostKept);
					if (readings.get(key) === begun) readings.delete(key);
				});
				reading = begun;
				readings.set(key, begun);
			}
			manifest = await reading.join(signal, progress);
		}
		head?.({ "x-data-version": String(manifest.data_version), "x-schema-version": manifest.schema_version });
		yield JSON.stringify(manifest);
	};
}

const mostKept = 500;

/** One reading of an export, for everybody who waits for it. */
class Reading {
	readonly #found: Promise<Manifest>;
	readonly #stop = new AbortController();
	readonly #waiting = new Set<() => void>();

	constructor(sql: Sql, params: Params<"getExportManifest">, onEnd: (found?: Manifest) => void) {
		this.#found = describe(sql, params, this.#stop.signal, () => {
			for (const progress of this.#waiting) progress();
		});
		// Whoever waits hears of a failure; when nobody does, nobody has to.
		this.#found.then(onEnd, () => onEnd());
		this.#stop.signal.addEventListener("abort", () => onEnd(), { once: true });
	}

	async join(signal: AbortSignal, progress: () => void): Promise<Manifest> {
		const place = () => progress();
		const leave = () => {
			this.#waiting.delete(place);
			if (this.#waiting.size === 0) this.#stop.abort(signal.reason);
		};
		this.#waiting.add(place);
		signal.addEventListener("abort", leave, { once: true });
		try {
			if (signal.aborted) leave();
			return await this.#found;
		} finally {
			signal.removeEventListener("abort", leave);
			this.#waiting.delete(place);
		}
	}
}

async function describe(
	sql: Sql,
	params: Params<"getExportManifest">,
	signal: AbortSignal,
	progress: () => void,
): Promise<Manifest> {
	const format = formatOf(params);
	await using rows = await openRows(sql, params, format, signal);
	const count = await rows.count();
	const hash = createHash("sha256");
	let bytes = 0;
	for await (const chunk of exportBytes(params, rows, progress)) {
		hash.update(chunk);
		bytes += chunk.length;
		progress();
	}
	const { format: _, ...filters } = params;
	return {
		format,
		media_type: operations.exportProjects.mediaTypes[format],
		rows: count,
		bytes,
		sha256: hash.digest("hex"),
		schema_version: projectSchemaVersion,
		data_version: rows.dataVersion,
		generated_at: rows.generatedAt,
		filters: definedOnly(filters),
		columns: [...projectColumns()],
	};
}

function definedOnly(filters: Omit<Params<"getExportManifest">, "format">): Manifest["filters"] {
	return Object.fromEntries(
		Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
}
