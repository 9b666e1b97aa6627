/**
 * Interface of a grid operator's adapter: facts about the operator, where its lists come from (`download`, the only I/O) and how they are
 * read (`parse`, pure). Adding an operator is one file in `queues/sources/` that exports its `operator`, named like its region, and one
 * line in `libs/contract/vocabulary.ts`.
 */
import type { FiledField, Project, ProjectField } from "#libs/contract/records/project.ts";
import type { ConstructionStage, ProjectRegion, RequestKind, Status } from "#libs/contract/vocabulary.ts";
import type { Validators } from "#libs/files/download.ts";
import type { Table } from "#libs/files/table.ts";
import type { ReadTable, RowOrigin } from "./filed-cells.ts";
import type { MappedWord, ReadWord, WordsByField } from "./vocabulary.ts";

/** Names one published list: "pjm-cycle". An operator can publish two lists that together are its queue. */
export type Feed = string;

/** Lists with common request numbers: those of an operator or a utility, or of programs for distributed generation. */
export type ListGroup = ProjectRegion | "DG";

/** A file as it arrived. `name` is the last part of its path or URL and may contain a date. */
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
			/** Sends If-None-Match / If-Modified-Since from the last successful download of this address. */
			conditional?: boolean;
			/** The page contains the address of a file. It is requested with its own validators, and a 304 returns it as it was last read. */
			isIndex?: boolean;
			timeoutMs?: number;
		},
	): Promise<DownloadedFile | "not-modified">;
}

export interface Operator {
	/** "Midcontinent ISO", for attribution. */
	publisher: string;
	/** Terms of its publications, if they differ from the usual ones. */
	licence?: string;
	/** States with requests (its territory, and the ties in its files): searched for a county that the filed state lacks. */
	states: readonly string[];
	/** The operator files towns as counties, so Lancaster NY and Wright KS are not looked up as counties of other states. */
	filesTowns?: true;
	/** The operator joins counties by a bare hyphen ("Kings-Queens"); elsewhere a hyphen belongs to the name (Miami-Dade). */
	joinsByHyphen?: true;
	/** The operator's lists include load requests. */
	publishesLoads?: true;
	/** Lists by precedence: a request in two lists has the values of the first. */
	lists: readonly Source[];
}

/** Description of an operator's publication for callers (/catalog/data). */
export interface Publication {
	title: string;
	url: string;
	/** The publisher, if it is not the operator. */
	publisher?: string;
	/** Default: daily. */
	cadence?: string;
	/** Terms that differ from the operator's. */
	licence?: string;
}

/** The formats that an adapter reads. */
export interface ReadLayout {
	formats: string;
	/** Day, month or year of the newest published file that it has read in full. */
	verified: string;
}

export interface Source {
	feed: Feed;
	/** Null for a list that is not an operator's own (LBNL), used for history and comparison only. */
	region: ProjectRegion | null;
	/** The list contains installations of a program: its rows are `distribution`, in the operator's region but not in its queue. */
	programme?: true;
	/** Kind of the rows of a utility's queue, which is loaded by hand; absent for the seven operators. */
	utility?: Extract<RequestKind, "utility" | "load">;
	/** The list consists of its region's rows in the files of this feed, and is loaded with them. */
	partOf?: Feed;
	/** Numbers are unique only within a utility, whose name precedes them in ids and keys: "BPA-G0363". */
	numbersByUtility?: true;
	/** For people who load lists: "PJM serial queue (PlanningQueues.xml)". */
	title: string;
	layout: ReadLayout;
	/** Absent if it is not an operator's own list. */
	publication?: Publication;
	/** How often the operator publishes: the unit of the guards' time scale and of the refresh job. */
	cadenceHours: number;
	/** Age beyond which the pipeline is STALE. */
	maxAgeHours: number;
	/** Maximum size of its files and of the responses to its `download`. */
	maxBytes: number;
	/** `active-only` lists lose finished requests by design; `all-status` lists keep them. */
	coverage: "all-status" | "active-only";
	/** Feed of the operator's list whose requests this list completes with the parts of their plants. This list itself adds no requests. */
	completes?: Feed;
	/** Bounds for a first list, which has no earlier one to be compared with. Measured on published lists. */
	firstList?: FirstList;
	/** The list shows the request of an operating plant as active again when parts are added (CAISO). */
	reopens?: true;
	/** The publisher writes the workbook by hand, so the day on which it was saved is the day of the list. Exports have the day of their template or copy. */
	savedByHand?: true;
	/** The study phase is read from the status (NYISO's code, SPP's words), so that both change together as one change. */
	phaseIsStatus?: true;
	/** Absent for a list that is loaded by hand. */
	download?(http: Http): Promise<DownloadedFile | "not-modified">;
	/** Whether the file is of this feed, by a cheap check of name and content. Never throws. */
	recognises(file: RawFile): boolean;
	/** Whether a workbook with an inconclusive name is of this feed, by its sheets. Absent if the feed has no workbook. */
	isWorkbook?(sheets: readonly Table[]): boolean;
	/** The values to which an unknown value can be mapped; absent if the list has none, or its values are read by patterns. */
	words?: WordsByField;
	/** `mapped`: values to read as other values. @throws StructureError unless the file is a complete, well-formed file of this feed */
	parse(file: RawFile, mapped?: readonly MappedWord[]): Promise<ParsedFile>;
	/** Identity of a request number: equal for every spelling the operator uses of one number ("517", "0517"). */
	key(number: string): string;
}

interface FirstList {
	/** Minimum and maximum number of requests. */
	rows: readonly [number, number];
	/** Minimum number of different states. */
	states: number;
	/** Standard statuses, each of which at least one request must have. */
	statuses: readonly Status[];
}

export interface ParsedFile {
	/** The publication date that the file itself states (`YYYY-MM-DD`), else null. */
	publishedOn: string | null;
	/** The line with the day of the list is missing because a person saved the file again, so a day in the name may be the day of saving. */
	savedAgain?: true;
	/** Number of data rows, including dropped ones. When `parse` returns, rowsIn = requests.length + sum of dropped counts. */
	rowsIn: number;
	requests: FiledRequest[];
	dropped: Dropped[];
	unknownValues: UnknownValue[];
	mappedWords?: ReadWord[];
	/** Headers that no known column claims; their cells are in `FiledRequest.raw`. */
	unknownColumns: string[];
	/** Numbers (as filed) that the file still contains although their rows are dropped: they do not count as missing. */
	stillListed?: string[];
	/** The tables with the rows of the requests; absent if the adapter does not report the cells of its fields. */
	tables?: ReadTable[];
}

export interface UnknownValue {
	field: string;
	value: string;
	count: number;
	/** Header of its column, and number of the first request with it; absent if its rows are unknown. */
	column?: string;
	example?: string;
}

export interface Dropped {
	reason: string;
	count: number;
	/** At most five request numbers (or row labels), to find them in the file. */
	examples: string[];
	/** The rows have no number of this operator; too many of them mean a broken list. */
	malformed?: true;
}

export type FieldValues<Name extends ProjectField> = { [N in Name as Camel<N>]: Project[N] };

/**
 * One request as the operator filed it (`records/project.ts` of the contract has its fields), with facts that only that operator's adapter can
 * derive from its values. County and state are as filed: "Kings, Queens", "Wayne Co", "TX/OK"; several columns of a technology are joined
 * with "; ". Text is trimmed and its white space collapsed; absent is null.
 */
export interface FiledRequest extends FieldValues<Exclude<FiledField, "queue_id" | "components">> {
	/** The number as filed, trimmed, without the operator's annotations ("AE1-070 - moved to TC1" is "AE1-070"). */
	number: string;
	/** Distinguishes requests with the same number, together with the name: ISO-NE's Unit, a generator id. Never a status. */
	unit: string | null;
	/** Parts of the plant from columns of parts, in their order; null if the list has no such columns. */
	components: Component[] | null;
	evidence: StageEvidence;
	/** The row has fewer fields than the operator's main list (ERCOT's update sheets): null means "not stated here", and known values are kept. */
	partial: boolean;
	/** Every other cell, by header, as filed. Columns that change every day (row ids, "last updated") are left out. */
	raw: Record<string, string>;
	/** The rows of the request, its main row first; absent if the adapter does not report them. */
	origins?: RowOrigin[];
}

export interface Component {
	typeStd: string;
	capacityMw: number | null;
}

export interface StageEvidence {
	/** Stage by the construction or studies that the operator publishes. The other stages come from `statusStd`. */
	stage: Extract<ConstructionStage, "construction" | "late" | "mid" | "early">;
	/**
	 * How the stage is known, best first: the operator publishes it itself (0.95), the agreement is explicit (0.90), an explicit
	 * study-stage code (0.80), inferred from per-study columns (0.65), only "active" (0.50), LBNL only (0.40).
	 */
	basis: "published" | "agreement" | "study-code" | "study-columns" | "active-only" | "lbnl";
	/** Two fields of the operator disagree (MISO: withdrawn but in service). */
	contradictory: boolean;
	/** Stated by an update sheet, not the main list. */
	byUpdateSheet?: true;
	/** Part of the plant is in service, the rest is being built. */
	partly?: true;
	/** The list has columns of the studies, and none is planned or under way. */
	noOpenStudy?: boolean;
}

export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
	? `${First}${Capitalize<Camel<Rest>>}`
	: Name;

export const toCamelCase = <Name extends string>(name: Name): Camel<Name> =>
	name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;
