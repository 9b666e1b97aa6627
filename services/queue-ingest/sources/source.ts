/**
 * Interface of a grid operator's adapter: facts about the operator, where its lists come from (`download`, the only I/O) and what the
 * bytes say (`parse`, pure). Adding an operator is one file in `queues/sources/` that exports its `operator`, named as its region is,
 * and one line in `libs/contract/vocabulary.ts`.
 */
import type { FiledField, Project, ProjectField } from "#libs/contract/records/project.ts";
import type { ConstructionStage, ProjectRegion } from "#libs/contract/vocabulary.ts";
import type { Validators } from "#libs/files/download.ts";
import type { Table } from "#libs/files/table.ts";
import type { ReadTable, RowOrigin } from "./filed-cells.ts";
import type { MappedWord, ReadWord, WordsByField } from "./vocabulary.ts";

/** Names one published list: "pjm-cycle". An operator can publish two that together are its queue. */
export type Feed = string;

/** Lists that are numbered together: those of an operator or a utility, and those of programmes for distributed generation. */
export type ListGroup = ProjectRegion | "DG";

/** A file as it arrived. `name` is the last part of its path or address and may carry a date. */
export interface RawFile {
	name: string;
	bytes: Uint8Array;
}

export interface DownloadedFile extends RawFile, Validators {
	url: string;
}

/** Resources of `download`. `get` enforces the byte limit and the deadline and refuses anything but a 200 (or a 304). */
export interface Http {
	get(
		url: string,
		options?: {
			method?: "GET" | "POST";
			headers?: Record<string, string>;
			body?: string;
			/** Sends If-None-Match / If-Modified-Since of the last good download of this address. */
			conditional?: boolean;
			maxBytes?: number;
			timeoutMs?: number;
		},
	): Promise<DownloadedFile | "not-modified">;
}

export interface Operator {
	/** "Midcontinent ISO", for attribution. */
	publisher: string;
	/** Terms of what it publishes, where they are not the usual ones. */
	licence?: string;
	/** States with requests (queues.md 5.3, and the ties in its files): where a county is sought that its filed state lacks. */
	states: readonly string[];
	/** It files towns among the counties: Lancaster NY and Wright KS are no counties of Pennsylvania and Missouri. */
	filesTowns?: true;
	/** It joins counties by a bare hyphen ("Kings-Queens"); elsewhere a hyphen belongs to the name (Miami-Dade). */
	joinsByHyphen?: true;
	/** Its lists have the requests of loads, too (queues.md 8.2). */
	publishesLoads?: true;
	/** A request that stands in two of them is what the first of them says. */
	lists: readonly Source[];
}

/** How what an operator publishes is described to callers (/catalog/data). */
export interface Publication {
	title: string;
	url: string;
	/** Daily when absent. */
	cadence?: string;
	/** Where the operator's own do not hold. */
	licence?: string;
}

export interface Source {
	feed: Feed;
	/** Null: not a grid operator's own list (LBNL), kept for history and comparison only. */
	region: ProjectRegion | null;
	/** A programme's list of installations: its rows are `distribution`, in the operator's region but none of its queue. */
	programme?: true;
	/** The queue of a utility outside the seven operators: its rows are `utility`, and it is taken in by hand. */
	utility?: true;
	/** For people who load lists: "PJM serial queue (PlanningQueues.xml)". */
	title: string;
	/** Absent: no operator's own list. */
	publication?: Publication;
	/** How often the operator publishes: the unit of the guards' time scale and of the refresh job. */
	cadenceHours: number;
	/** Older than this the pipeline is STALE. */
	maxAgeHours: number;
	/** Larger than this is no file of this feed. */
	maxBytes: number;
	/** `active-only` lists lose finished requests by design; `all-status` lists keep them. */
	coverage: "all-status" | "active-only";
	/** It lists a request whose plant runs as active again when parts are added (CAISO). */
	reopens?: true;
	/** The publisher writes the workbook by hand: the day it was saved is the list's. Exports have that of their template, or of a copy. */
	savedByHand?: true;
	/** The study phase is read off the status (NYISO's code, SPP's words): the two change together and are one change. */
	phaseIsStatus?: true;
	download(http: Http): Promise<DownloadedFile | "not-modified">;
	/** Cheap look at name and content: is this a file of this feed? Never throws. */
	recognises(file: RawFile): boolean;
	/** Tells by its sheets whether a workbook with an inconclusive name is of this feed. Absent where the feed has no workbook. */
	isWorkbook?(sheets: readonly Table[]): boolean;
	/** The words that a new word can be mapped to; absent where a list has none, or reads its words by patterns. */
	words?: WordsByField;
	/** Throws `StructureError` when the file is not a whole, well-formed file of this feed. `mapped`: read as other words. */
	parse(file: RawFile, mapped?: readonly MappedWord[]): Promise<ParsedFile>;
	/** Identity of a request number: equal for every spelling the operator uses of one number ("517", "0517"). */
	key(number: string): string;
}

export interface ParsedFile {
	/** The publication date that the file itself states (`YYYY-MM-DD`), else null. */
	publishedOn: string | null;
	/** Data rows found, before any was dropped: rowsIn = requests.length + sum of dropped counts. */
	rowsIn: number;
	requests: FiledRequest[];
	dropped: Dropped[];
	unknownValues: UnknownValue[];
	mappedWords?: ReadWord[];
	/** Headers that no known column claims; their cells are in `FiledRequest.raw`. */
	unknownColumns: string[];
	/** Numbers (as filed) that the file still shows although their rows are dropped: present, never missing. */
	stillListed?: string[];
	/** The tables that the requests' rows are in; absent where the adapter does not say which cells its fields are read from. */
	tables?: ReadTable[];
}

export interface UnknownValue {
	field: string;
	value: string;
	count: number;
	/** Header of the column that it stands in, and the number of the first request with it; absent where its rows are not known. */
	column?: string;
	example?: string;
}

export interface Dropped {
	reason: string;
	count: number;
	/** At most five request numbers (or row labels), to find them in the file. */
	examples: string[];
	/** The rows carry no number of this operator: too many of them are a broken list. */
	malformed?: true;
}

export type FieldValues<Name extends ProjectField> = { [N in Name as Camel<N>]: Project[N] };

/**
 * One request as the operator filed it (`records/project.ts` of the contract has its fields), with what only that operator's adapter can
 * know about its words. County and state are as filed: "Kings, Queens", "Wayne Co", "TX/OK"; several columns of a technology are joined
 * with "; ". Text is trimmed and its white space collapsed; absent is null.
 */
export interface FiledRequest extends FieldValues<Exclude<FiledField, "queue_id" | "components">> {
	/** The number as filed, trimmed, without the operator's annotations ("AE1-070 - moved to TC1" is "AE1-070"). */
	number: string;
	/** Distinguishes repeats of one number, with the name: ISO-NE's Unit, a generator id. Never a status. */
	unit: string | null;
	/** Parts of the plant that columns of parts state, in their order; null where the list has no such columns. */
	components: Component[] | null;
	evidence: StageEvidence;
	/**
	 * The row says less than the operator's main list (ERCOT's update sheets): null means "not said here", and the
	 * values already known stay.
	 */
	partial: boolean;
	/** Every other cell, by header, as filed. Columns that change every day by themselves (row ids, "last updated") stay out. */
	raw: Record<string, string>;
	/** The rows that state it, its own first; absent where the adapter does not say. */
	origins?: RowOrigin[];
}

export interface Component {
	typeStd: string;
	capacityMw: number | null;
}

export interface StageEvidence {
	/** Stage by construction or studies that the operator publishes; the four final states come from statusStd. */
	stage: Extract<ConstructionStage, "construction" | "late" | "mid" | "early">;
	/**
	 * How the stage is known, best first: the operator publishes it itself (0.95), the agreement is explicit (0.90), an explicit
	 * study-stage code (0.80), inferred from per-study columns (0.65), only "active" (0.50), LBNL only (0.40).
	 */
	basis: "published" | "agreement" | "study-code" | "study-columns" | "active-only" | "lbnl";
	/** Two of the operator's own fields disagree (MISO withdrawn but in service). */
	contradictory: boolean;
	/** An update sheet says so, not the main list. */
	byUpdateSheet?: true;
	/** Part of the plant is in service, the rest is being built. */
	partly?: true;
	/** The list has columns of the studies, and none of them is to be done or under way. */
	noOpenStudy?: boolean;
}

export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
	? `${First}${Capitalize<Camel<Rest>>}`
	: Name;

export const camel = <Name extends string>(name: Name): Camel<Name> =>
	name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;
