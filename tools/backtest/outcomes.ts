/** Outcomes of the requests of one list, by later lists of the same operator. Pure. */
import type { Region, Status } from "../../libs/contract/vocabulary.ts";
import { identify } from "../../services/queue-ingest/queues/identify.ts";
import type { Listed } from "./lists.ts";

/**
 * `built`: in operation. `lost`: withdrawn, or gone from a list that keeps what is built. `open`: still requested, or suspended: no list
 * knows yet. `unknown`: gone from a list that drops both what is built and what is cancelled.
 */
export type Fate = "built" | "lost" | "open" | "unknown";

const fates: Record<Status, Fate> = {
	Operational: "built",
	Withdrawn: "lost",
	Active: "open",
	Suspended: "open",
	Unknown: "unknown",
};

/** SPP's list of active requests keeps those in commercial operation, ERCOT's drops them a month later. */
const dropsBuilt: ReadonlySet<Region> = new Set<Region>(["ERCOT"]);

/**
 * The fate of each of `requests`, in their order. `everything` is the whole list that they stand in, so that repeats of a number are kept
 * apart as the product does it. `later` are lists from after it, oldest first: the newest that shows the request decides, and what is once
 * finished stays so.
 */
export function fatesOf(
	region: Region,
	requests: readonly Listed[],
	everything: readonly Listed[],
	later: readonly (readonly Listed[])[],
): Fate[] {
	const ids = new Map(everything.map((request, at) => [request, String(at)]));
	const known = everything.map((request) => ({
		...request,
		id: ids.get(request) ?? "",
		keys: [request.key],
		sameFeed: true,
	}));
	const found = new Map<string, Fate>();
	for (const rows of later) {
		const identities = identify(region, rows, known);
		for (const [at, { id, isNew }] of identities.entries()) {
			const fate = fates[rows[at]?.statusStd ?? "Active"];
			if (!isNew && (fate !== "open" || !isFinished(found.get(id)))) found.set(id, fate);
		}
		if (dropsBuilt.has(region)) forgetDropped(found, new Set(identities.map(({ id }) => id)));
	}
	return requests.map((request) => found.get(ids.get(request) ?? "") ?? (dropsBuilt.has(region) ? "unknown" : "lost"));
}

const isFinished = (fate: Fate | undefined): boolean => fate === "built" || fate === "lost";

/** An open request that a newer list no longer shows may be either. */
function forgetDropped(found: Map<string, Fate>, shown: ReadonlySet<string>): void {
	for (const [id, fate] of found) if (fate === "open" && !shown.has(id)) found.delete(id);
}
