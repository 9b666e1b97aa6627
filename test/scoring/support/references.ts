/** A database of scoring's own and a folder of files to load into it, with a clock that the test sets. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Sql, type Transaction } from "../../../libs/postgres/connect.ts";
import { lookUpListings } from "../../../services/scoring/domain/places.ts";
import type { BonusListings } from "../../../services/scoring/domain/tax-credits/types.ts";
import { schema } from "../../../services/scoring/migrate.ts";
import { loadReferences } from "../../../services/scoring/references/current.ts";
import { type FileReport, loadReferenceFiles } from "../../../services/scoring/references/load.ts";
import { loadSample } from "../../../services/scoring/references/load-folder.ts";
import type { ReferenceSource } from "../../../services/scoring/references/sources/reference.ts";
import { createDatabase } from "../../support/database.ts";
import { irsLines } from "./sample-lists.ts";

export interface Library extends AsyncDisposable {
	sql: Sql;
	url: string;
	folder: string;
	now: string;
	/** Writes a file; answers where it is. */
	file(name: string, content: string | Uint8Array): Promise<string>;
	load(source: ReferenceSource, ...paths: string[]): Promise<FileReport[]>;
	/** Loads the bundled sample; answers what was said. */
	sample(): Promise<string[]>;
	energyAt(fips: string, tract?: string): Promise<BonusListings["energyCommunity"]>;
	version(): Promise<number | undefined>;
	/** Deletes everything, for the next test. */
	clear(): Promise<void>;
}

const defaultNow = "2026-11-20T12:00:00Z";

export async function openLibrary(): Promise<Library> {
	await using stack = new AsyncDisposableStack();
	const { url } = stack.use(await createDatabase("scoring"));
	const sql = stack.use(connect(url, { schema, name: "test", max: 4, statementTimeoutMs: 0 }));
	const folder = await mkdtemp(join(tmpdir(), "references-"));
	stack.defer(() => rm(folder, { recursive: true }));
	const now = () => new Date(library.now);
	const library: Library = {
		sql,
		url,
		folder,
		now: defaultNow,
		async file(name, content) {
			const path = join(folder, name);
			await mkdir(join(path, ".."), { recursive: true });
			await writeFile(path, content);
			return path;
		},
		load: (source, ...paths) =>
			loadReferenceFiles(sql, source, paths, { now, report: () => {}, reportSkipped: () => {} }),
		async sample() {
			const lines: string[] = [];
			await loadSample(sql, { now, report: (line) => void lines.push(line) });
			return lines;
		},
		energyAt: async (fips, tract) =>
			lookUpListings(await loadReferences(sql), { fips, tract: tract ?? null }).energyCommunity,
		async version() {
			const [row] = await sql<{ version: number }[]>`select version from reference_versions`;
			return row?.version;
		},
		async clear() {
			library.now = defaultNow;
			await rm(folder, { recursive: true });
			await mkdir(folder);
			const tables = await sql<{ name: string }[]>`
				select tablename as name from pg_tables
				where schemaname = current_schema() and tablename not in ('migrations', 'settings', 'data_version')`;
			// The row of versions is a new one, as caches are kept by its edition.
			await sql.unsafe(`
				truncate ${tables.map(({ name }) => name).join(", ")} restart identity;
				insert into reference_versions (version) values (0);
				insert into reference_sources (source) values ('energy-communities'), ('low-income'), ('ic-costs')`);
		},
		[Symbol.asyncDispose]: () => rest.disposeAsync(),
	};
	const rest = stack.move();
	return library;
}

/** A notice's county list with this many counties. */
export const irsList = (counties: number): string => `${irsLines(counties).join("\n")}\n`;

/** A request, as its copy is stored. */
export const request = (
	sql: Sql | Transaction,
	id: string,
	{ queueId, region = "PJM", developer = null }: { queueId: string; region?: string; developer?: number | null },
) => (sql as Sql)`
	insert into projects (project_id, feed, queue_id, region, kind, counties, developer_id, developer_tier, type_std, status_std, listed,
		construction_stage, construction_stage_confidence, ia_status, located, cod_changes, last_changed_at, version)
	values (${id}, ${region.toLowerCase()}, ${queueId}, ${region}, 'generation', '{}', ${developer}, 'unknown', 'Solar', 'Active', 'listed', 'early', 0.5, 'none', false,
		'[]', '2026-03-01T06:00:00Z', 1)`;
