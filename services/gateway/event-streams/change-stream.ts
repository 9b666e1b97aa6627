/** The change feed as a stream. The log is read once for all clients. */
import { type ChangeLog, type LoggedChange, type LogPage, logPage } from "#libs/bus/requests/change-log.ts";
import { matches } from "#libs/contract/filters/matches.ts";
import { events, operations, type Params } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";
import { type Channel, eventText, Feed, type Page, type Source } from "./feed.ts";

export interface ChangeStreamOptions {
	changes: ChangeLog;
	responseCache: Pick<ResponseCache, "get">;
	log: Logger;
}

/** A change, serialized once for all clients. */
class SerializedChange {
	readonly change: Omit<LoggedChange, "project">;
	readonly project: NonNullable<LoggedChange["project"]> | null;
	#bytes: Buffer | undefined;
	#withRow: Buffer | undefined;

	constructor({ project, ...change }: LoggedChange) {
		this.change = change;
		this.project = project ?? null;
	}

	get seq(): number {
		return this.change.seq;
	}

	get bytes(): Buffer {
		this.#bytes ??= Buffer.from(eventText(this.seq, events.changeRecorded.name, JSON.stringify(this.change)));
		return this.#bytes;
	}

	get withRow(): Buffer {
		const data = () => JSON.stringify({ ...this.change, project: this.project });
		this.#withRow ??= Buffer.from(eventText(this.seq, events.changeRecorded.name, data()));
		return this.#withRow;
	}
}

/** Rows of the log that are read at once: fewer for a single client that catches up than for the feed. */
const rowsPerPage = { client: 100, feed: 500 };

/**
 * `raw` adds changes of filed cells that no compared field covers. There are many of these changes, so clients that do not request them share a
 * feed without them. The feed with them runs only while a client uses it.
 */
export function changeStream(
	{ changes, responseCache, log }: ChangeStreamOptions,
	{ raw }: { raw: boolean },
): Channel<Params<"streamChanges">, SerializedChange> {
	const pageAfter = (after: number, per_page: number) =>
		operations.listChanges.params.parse({ after, per_page, include: raw ? ["row", "raw"] : ["row"] });
	const source: Source<SerializedChange> = {
		name: raw ? "changes with raw cells" : "changes",
		head: () => changes.head(),
		// The request states no known data version, so that the primary responds, which has every announced change.
		after: async (seq) => pageOf(await changes.page({ ...pageAfter(seq, rowsPerPage.feed), after: seq })),
		watch: (onMore) => changes.watch(onMore),
	};
	return {
		feed: new Feed(source, log),
		readAfter: async (seq, acquireSlot) => {
			const { bytes } = await responseCache.get("listChanges", pageAfter(seq, rowsPerPage.client), acquireSlot);
			return pageOf(logPage(JSON.parse(bytes.toString())));
		},
		filterFor: changeFilter,
		bytesOf: ({ include }) =>
			include?.includes("row") ? (recorded) => recorded.withRow : (recorded) => recorded.bytes,
		noticeOf: ({ seq }) => Buffer.from(eventText(seq, events.changeRecorded.name, "null")),
	};
}

export const requestsRaw = ({ include, change_type }: Params<"streamChanges">): boolean =>
	include?.includes("raw") === true || change_type?.includes("raw_update") === true;

const pageOf = ({ changes, next }: LogPage): Page<SerializedChange> => ({
	items: changes.map((change) => new SerializedChange(change)),
	next,
});

/** @returns a function that filters like `/changes`, but by the interconnection request as it was after the change */
function changeFilter(params: Params<"streamChanges">): (recorded: SerializedChange) => boolean {
	const { after, change_type, include_evidence, include, project_id, region, id, ...filters } = params;
	const types = change_type && new Set<string>(change_type);
	const ids = id && new Set(id);
	const omittedTypes = new Set([
		...(include?.includes("row") ? [] : ["first_listed", ...(include_evidence ? [] : ["evidence_update"])]),
		...(include?.includes("raw") ? [] : ["raw_update"]),
	]);
	const isOfType = (type: string) => (types === undefined ? !omittedTypes.has(type) : types.has(type));
	const filtersRequests = Object.values(filters).some((value) => value !== undefined);
	return ({ change, project }) =>
		isOfType(change.change_type) &&
		(region === undefined || region.includes(change.region)) &&
		(project_id === undefined || change.project_id === project_id) &&
		(ids === undefined || (change.project_id !== null && ids.has(change.project_id))) &&
		(!filtersRequests ||
			(project !== null && matches({ ...filters, population: "all", include_unlisted: true }, project)));
}
