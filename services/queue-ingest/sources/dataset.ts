/**
 * Interface of the adapters of related datasets (distributed generation, data centers, market prices, planned units of plants): which files
 * belong to the dataset, how they are read (`parse`, pure), and how rows are stored. `datasets/load-dataset.ts` archives, guards, records and calls
 * them.
 */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dropped, Publication, RawFile, ReadLayout } from "./source.ts";

export interface Dataset<Row = unknown> {
	/** Names the pipeline and the source: "eia861-net-metering", "isone-day-ahead". */
	feed: string;
	database: "dg" | "datacenter" | "market" | "grid" | "master";
	/** Set for an operator's own dataset. */
	region?: Region;
	publication?: Publication;
	/** Title in reports: "EIA-861 net metering". */
	title: string;
	layout: ReadLayout;
	maxAgeHours: number;
	/** Maximum size of its files. */
	maxBytes: number;
	/** Whether the file is of this feed, by a cheap check of name and content. Never throws. */
	recognises(file: RawFile): boolean;
	/**
	 * Whether the content is of this feed, for files with inconclusive names. Called before `recognises`, in a thread with limits. May throw
	 * for an unreadable file.
	 */
	isContentOf?(file: RawFile): Promise<boolean>;
	/** The publisher grants no license. Loading a folder skips such files: someone with the right to publish them loads them with `--source`. */
	unlicensed?: true;
	/** Each edition contains the events of a month, so the number of rows varies. */
	isUneven?: true;
	/** Set if rows have an `id` that is the same in every file of the edition. The guard counts ids that a new file lacks. */
	keptIn?: {
		table: "dg_records" | "datacenter_facilities" | "datacenter_proposals";
		/** A column whose values are parts of the list, none of which may vanish entirely. */
		part?: string;
	};
	/** @throws StructureError unless the file is a complete, well-formed file of this feed */
	parse(file: RawFile): Promise<DatasetFile<Row>>;
	/** Replaces the edition's stored rows: set-based, all or nothing. @returns the number of stored rows */
	write(tx: Transaction, file: DatasetFile<Row>, provenance: { feed: string; snapshotId: number }): Promise<number>;
}

export interface DatasetFile<Row = unknown> {
	/**
	 * Unit that a later file replaces: a year ("2018"), a day ("2026-06-04"). A list that is published whole each time
	 * has one edition, "current".
	 */
	edition: string;
	/** The day that the file states or on which its data ends (`YYYY-MM-DD`), else null. */
	publishedOn: string | null;
	rowsIn: number;
	rows: Row[];
	dropped: Dropped[];
	/** Values kept as filed, with their number. `note` explains a value that is not simply outside the known vocabulary. */
	unknownValues: { field: string; value: string; count: number; note?: string }[];
	unknownColumns: string[];
	/** Reasons why a well-formed file is held back until the operator of this service releases it. */
	warnings?: string[];
}
