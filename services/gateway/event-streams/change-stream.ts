/** The change feed as a stream: what is recorded now comes from the event, whatever is missing or past from the log, read once for all. */
import type { z } from "zod";
import type { Bus } from "#libs/bus/connect.ts";
import { request, requestJson } from "#libs/bus/request.ts";
import { watchVersions } from "#libs/bus/version.ts";
import { watchSubjects } from "#libs/bus/watch-subjects.ts";
import { subjectOf } from "#libs/contract/event.ts";
import { type Events, events, operations, type Params } from "#libs/contract/index.ts";
import type { changeWithRow } from "#libs/contract/operations/change.ts";
import { matches } from "#libs/filters/matches.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";
import { type Channel, eventText } from "./channel.ts";
import { Feed, type Page, type Source } from "./feed.ts";

export interface ChangeStreamOptions {
	bus: Bus;
	answers: Pick<ResponseCache, "get">;
	/** Longest wait for a page of the log (ms). */
	timeoutMs: number;
	log: Logger;
}

type Change = z.output<typeof changeWithRow>;

/** A change and how it is sent, written once for all clients. */
class Recorded {
	readonly change: Omit<Change, "project">;
	readonly project: NonNullable<Change["project"]> | null;
	#bytes: Buffer | undefined;
	#withRow: Buffer | undefined;

	constructor({ project, ...change }: Change) {
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

/** Rows of a page: for one client, whose connection holds them; for all. */
const rows = { client: 100, feed: 500 };
/** An event that is not published, or was missed, is found by the data version, so often at most (ms). */
const versionMs = 1_000;

/**
 * `raw`: with cells that no field is compared of. They are in the log alone, and many: a client that does not ask for them follows a feed without,
 * and no gateway reads them before a client asks.
 */
export function changeStream(
	{ bus, answers, timeoutMs, log }: ChangeStreamOptions,
	{ raw }: { raw: boolean },
): Channel<Params<"streamChanges">, Recorded> {
	const pageAfter = (after: number, per_page: number) =>
		operations.listChanges.params.parse({ after, per_page, include: raw ? ["row", "raw"] : ["row"] });
	const source: Source<Recorded> = {
		name: raw ? "changes with raw cells" : "changes",
		async head() {
			const { meta } = await requestJson(bus, "listProjects", { cursor: "*", per_page: 1 }, { timeoutMs });
			return (meta as { seq?: number }).seq ?? 0;
		},
		// Of no known version: from the primary, which has whatever was announced.
		after: async (seq) => pageOf((await request(bus, "listChanges", pageAfter(seq, rows.feed), { timeoutMs })).bytes),
		watch: (onMore) => watchChanges(bus, onMore),
	};
	return {
		feed: new Feed(source, log),
		past: async (seq, turn) => pageOf((await answers.get("listChanges", pageAfter(seq, rows.client), turn)).bytes),
		chooses,
		bytesOf: ({ include }) =>
			include?.includes("row") ? (recorded) => recorded.withRow : (recorded) => recorded.bytes,
		noticeOf: ({ seq }) => Buffer.from(eventText(seq, events.changeRecorded.name, "null")),
	};
}

export const asksForRaw = ({ include, change_type }: Params<"streamChanges">): boolean =>
	include?.includes("raw") === true || change_type?.includes("raw_update") === true;

function pageOf(bytes: Uint8Array): Page<Recorded> {
	const { data, next } = JSON.parse(Buffer.from(bytes).toString()) as { data: Change[]; next: number };
	return { items: data.map((change) => new Recorded(change)), next };
}

function watchChanges(bus: Bus, onMore: (recorded?: Recorded) => void): Disposable {
	let known: number | undefined;
	let soon: NodeJS.Timeout | undefined;
	const stack = new DisposableStack();
	stack.use(
		watchSubjects(bus, [subjectOf(events.changeRecorded)], (text) => {
			if (text === undefined) return onMore();
			const { id, occurred_at, version, ...change } = JSON.parse(text) as z.output<Events["changeRecorded"]["payload"]>;
			onMore(new Recorded(change));
		}),
	);
	stack.use(
		watchVersions(bus, "queue-ingest", (version) => {
			if (version === known) return;
			known = version;
			soon ??= setTimeout(() => {
				soon = undefined;
				onMore();
			}, versionMs);
		}),
	);
	stack.defer(() => clearTimeout(soon));
	return stack;
}

/** As `/changes` filters, but by the request as it was after the change. */
function chooses(params: Params<"streamChanges">): (recorded: Recorded) => boolean {
	const { after, change_type, include_evidence, include, project_id, region, id, ...filters } = params;
	const types = change_type && new Set<string>(change_type);
	const ids = id && new Set(id);
	const leftOut = new Set([
		...(include?.includes("row") ? [] : ["first_listed", ...(include_evidence ? [] : ["evidence_update"])]),
		...(include?.includes("raw") ? [] : ["raw_update"]),
	]);
	const isOfType = (type: string) => (types === undefined ? !leftOut.has(type) : types.has(type));
	const ofRequest = Object.values(filters).some((value) => value !== undefined);
	return ({ change, project }) =>
		isOfType(change.change_type) &&
		(region === undefined || region.includes(change.region)) &&
		(project_id === undefined || change.project_id === project_id) &&
		(ids === undefined || (change.project_id !== null && ids.has(change.project_id))) &&
		(!ofRequest || (project !== null && matches({ ...filters, population: "all", include_unlisted: true }, project)));
}
