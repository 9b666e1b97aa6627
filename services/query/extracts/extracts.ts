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
	/** Owners that have announced extracts, none of which is loaded yet. */
	readonly missing: readonly ExtractOwner[];
	/** Data version of the owner's loaded extracts. */
	versionOf(owner: ExtractOwner): number | undefined;
	/** When the owner's loaded extracts were read from its database. */
	madeAt(owner: ExtractOwner): Date | undefined;
}

/** The fields of a view that a statement process needs. */
export const fileOf = ({ database, name, path }: Loaded["views"][number]): ExtractFile => ({
	database,
	name,
	path,
});
