/** The lists that the backtest rests on: what was filed then, and the later lists that tell what became of it. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Region } from "../../libs/contract/vocabulary.ts";
import { parseFile, type StandardFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import type { Feed } from "../../services/queue-ingest/sources/source.ts";

/** A request of a list, with the identity that the list's source gives its number. */
export type Listed = StandardFile["requests"][number];

export interface List {
	feed: Feed;
	/** Below the data folder, or whole. */
	path: string;
	/** When the list was so, `YYYY-MM-DD`. */
	asOf: string;
}

export const list = (feed: Feed, asOf: string, path: string): List => ({ feed, path, asOf });

/** Berkeley Lab's "Queued Up": every operator's open requests as 2020 ended, and those that were finished by then. */
export const queuedUp2020 = list("lbnl", "2020-12-31", "lbnl/lbnlisoqueues_2020.xlsx");
/** Part of the edition through 2023: finished requests, and open ones with an agreement. Tells what ERCOT's own lists drop. */
export const queuedUp2023 = list("lbnl", "2023-12-31", "lbnl/intq.derived.csv");

/** NYISO's own list says more of its studies than Berkeley Lab's file of the same weeks. */
export const nyiso2020 = list("nyiso", "2020-11-19", "nyiso/2020-11-19/NYISO-Interconnection-Queue.xlsx");

/** The operators' lists of 2024. */
export const lists2024 = {
	PJM: list("pjm-serial", "2024-08-19", "pjm/2024-08-19/PJM_PlanningQueues.xlsx"),
	MISO: list("miso", "2024-07-01", "miso/2024-07-approx/GI Interactive Queue.csv"),
	ERCOT: list("ercot", "2024-12-31", "ercot/GIS_Report_December2024.xlsx"),
	CAISO: list("caiso", "2024-07-13", "caiso/2024-07-13/publicqueuereport.xlsx"),
	NYISO: list("nyiso", "2024-12-10", "nyiso/2024-12-10/NYISO-Interconnection-Queue.xlsx"),
	SPP: list("spp", "2024-07-12", "spp/2024-07-12/GI_ActiveRequest.xlsx"),
	"ISO-NE": list("isone", "2024-08-30", "isone/2024-08-30/ISONE_QueueReport_20240830090927.xlsx"),
} satisfies Partial<Record<Region, List>>;

type Judged = keyof typeof lists2024;
/** Operators whose lists go back far enough. */
export const judgedRegions = Object.keys(lists2024) as Judged[];

/** Each operator's newest lists, which together are its queue; oldest first. ERCOT's updates are of one month each. */
export const newestLists: Record<Judged, List[]> = {
	PJM: [
		list("pjm-serial", "2026-05-05", "pjm/2026-05-05/PlanningQueues-2026-05-05.derived.csv"),
		list("pjm-cycle", "2026-06-29", "pjm/2026-06-29/raw_pjm_cycle_transition.csv"),
	],
	MISO: [list("miso", "2026-06-30", "miso/2026-06-30/raw_miso.json")],
	ERCOT: [
		list("ercot", "2025-09-30", "ercot/GIS_Report_September2025.xlsx"),
		list("ercot", "2025-10-31", "ercot/GIS_Report_October2025.xlsx"),
	],
	CAISO: [list("caiso", "2026-07-20", "caiso/weekly/publicqueuereport-07202026.xlsx")],
	NYISO: [list("nyiso", "2025-01-09", "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx")],
	SPP: [list("spp", "2026-06-30", "spp/2026-06-30/raw_spp.csv")],
	"ISO-NE": [list("isone", "2026-06-29", "isone/2026-06-29/raw_isone.csv")],
};

/** Regions whose newest list is but a month younger than that of 2024: too short to tell anything. */
export const tooShort: ReadonlySet<Region> = new Set<Region>(["NYISO"]);

export const everyList: readonly List[] = [
	queuedUp2020,
	queuedUp2023,
	nyiso2020,
	...Object.values(lists2024),
	...Object.values(newestLists).flat(),
];

/** The operators' lists as of their days: `loadLists` is the product's answer. */
export interface PastLists {
	/** The requests that the list of its day shows, as of that day. */
	requests(list: Pick<List, "feed" | "asOf">): Promise<Listed[]>;
}

/**
 * Answers lists, each once, one after another: an operator's as of its day, as `past` has it; Berkeley Lab's, which are no operator's and of
 * no day, from their file below `folder`. Throws `StructureError` for a broken one.
 */
export class Reader {
	readonly #folder: string;
	readonly #past: () => Promise<PastLists>;
	readonly #cache: string | undefined;
	readonly #read = new Map<string, Promise<Listed[]>>();
	#last: Promise<unknown> = Promise.resolve();

	/**
	 * `past` is asked for when the first list is. `cache`: a folder that keeps what was read from one run to the next, for trials. It does not
	 * notice that a parser has changed.
	 */
	constructor(folder: string, past: () => Promise<PastLists>, cache = process.env.BACKTEST_CACHE) {
		this.#folder = folder;
		this.#past = past;
		this.#cache = cache;
	}

	/** Paths that are not there. */
	missing(): string[] {
		return [...new Set(everyList.map(({ path }) => path))].filter((path) => !existsSync(resolve(this.#folder, path)));
	}

	requests(list: List): Promise<Listed[]> {
		const known = this.#read.get(list.path) ?? this.#last.then(() => this.#kept(list));
		this.#read.set(list.path, known);
		this.#last = known.catch(() => undefined);
		return known;
	}

	async #kept(list: List): Promise<Listed[]> {
		if (this.#cache === undefined) return this.#readOne(list);
		const file = resolve(this.#cache, `${list.feed}-${hash("sha256", `${list.path} ${list.asOf}`)}.json`);
		if (existsSync(file)) return JSON.parse(await readFile(file, "utf8"));
		const requests = await this.#readOne(list);
		await writeFile(file, JSON.stringify(requests));
		return requests;
	}

	async #readOne(list: List): Promise<Listed[]> {
		return isOperators(list) ? (await this.#past()).requests(list) : this.#parse(list);
	}

	async #parse({ feed, path, asOf }: List): Promise<Listed[]> {
		const bytes = await readFile(resolve(this.#folder, path));
		const file = await parseFile({ feed, name: basename(path), path, bytes, asOf: `${asOf}T00:00:00Z` });
		return file.requests;
	}
}

export const isOperators = ({ feed }: List): boolean => feed !== "lbnl";
