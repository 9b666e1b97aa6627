/** The loaded extracts: views of all owners, each a local Parquet file. */
import type { Database } from "#libs/contract/databases.ts";
import type { ExtractOwner, ExtractView } from "#libs/contract/exports/extracts.ts";
import type { ExtractFile } from "../child/database.ts";

/** Immutable: replaced by a new object whenever an extract is loaded. */
export interface Loaded {
	views: readonly (ExtractView & { path: string })[];
}

export interface Extracts {
	readonly current: Loaded;
	/** Undefined while the extracts of the database's owner have not been loaded. */
	viewsOf(database: Database): readonly ExtractView[] | undefined;
	/** Owners that have written extracts, of which none could be loaded yet. */
	readonly missing: readonly ExtractOwner[];
	/** The owner's data version that is loaded. */
	versionOf(owner: ExtractOwner): number | undefined;
	/** When they were read from the owner's database. */
	madeAt(owner: ExtractOwner): Date | undefined;
}

/** The part of a view that a process that runs statements needs. */
export const fileOf = ({ database, name, path }: Loaded["views"][number]): ExtractFile => ({
	database,
	name,
	path,
});
