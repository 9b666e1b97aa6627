/**
 * Interface of the adapters of related datasets (distributed generation, data centres, market prices, planned units of plants): which files are its own, what their
 * bytes say (`parse`, pure), and how rows get into its tables. `datasets/load-dataset.ts` archives, guards, records and calls them.
 */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dropped, Publication, RawFile } from "./source.ts";

export interface Dataset<Row = unknown> {
	/** Names the pipeline and the source: "eia861-net-metering", "isone-day-ahead". */
	feed: string;
	database: "dg" | "datacenter" | "market" | "grid" | "master";
	/** Set for an operator's own dataset. */
	region?: Region;
	publication?: Publication;
	/** For people: "EIA-861 net metering". */
	title: string;
	maxAgeHours: number;
	/** Larger than this is no file of this feed. */
	maxBytes: number;
	/** Cheap look at name and content: is this a file of this feed? Never throws. */
	recognises(file: RawFile): boolean;
	/**
	 * A look at the content of a file whose name proves nothing; asked before `recognises`, in a thread with bounds. May throw for what
	 * cannot be read.
	 */
	isContentOf?(file: RawFile): Promise<boolean>;
	/** Editions hold what happened in their month: none says how many rows the next has. */
	isUneven?: true;
	/** Where rows of an edition have an `id` that they keep from file to file: the guard counts those that a file lacks. */
	keptIn?: {
		table: "dg_records" | "datacenter_facilities" | "datacenter_proposals";
		/** A column whose values are parts of the list, none of which may go altogether. */
		part?: string;
	};
	/** Throws `StructureError` when the file is not a whole, well-formed file of this feed. */
	parse(file: RawFile): Promise<DatasetFile<Row>>;
	/** Replaces what is stored of the edition: set-based, whole or not at all. Answers how many rows are stored now. */
	write(tx: Transaction, file: DatasetFile<Row>, provenance: { feed: string; snapshotId: number }): Promise<number>;
}

export interface DatasetFile<Row = unknown> {
	/**
	 * Unit that a later file replaces: a year ("2018"), a day ("2026-06-04"). A list that is published whole each time
	 * has one edition, "current".
	 */
	edition: string;
	/** The day that the file itself states or that its data end on (`YYYY-MM-DD`), else null. */
	publishedOn: string | null;
	rowsIn: number;
	rows: Row[];
	dropped: Dropped[];
	/** Values kept as filed: what, how often. `note` says what is odd about one that is not simply outside the known vocabulary. */
	unknownValues: { field: string; value: string; count: number; note?: string }[];
	unknownColumns: string[];
	/** Why a well-formed file is not believed until the operator of this service releases it. */
	doubts?: string[];
}
