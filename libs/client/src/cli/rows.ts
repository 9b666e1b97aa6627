/** Commands that return rows: `projects`, `developers`, `pois`, `search`, `changes`, `watch`. */

import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type Client, type ListName, type Row as ListRow, type Reply } from "../index.ts";
import type { Command, Run } from "./command.ts";
import { UsageError } from "./failures.ts";
import { fieldsOf, flagsOf, isOn, readWholeNumber } from "./flags.ts";
import { note, Output, writeObject } from "./output.ts";
import type { Parameter } from "./parameter.ts";
import type { Row } from "./table.ts";

const defaultRows = 100;
/** Maximum rows per page. */
const maxPageRows = 200;

const limit: Parameter[] = [
	{ name: "limit", note: `Maximum number of rows (${defaultRows} when absent)` },
	{ name: "all", note: "Every row", isSwitch: true },
];
const projectColumns = ["id", "name", "region", "state", "type_std", "status_std", "capacity_mw", "cod"];
const changeColumns = ["seq", "detected_at", "project_id", "change_type", "field_name", "old_value", "new_value"];
const followHelp =
	"--follow shows each change as it is recorded, until Ctrl-C, and takes the flags of /changes/stream.";

export const projects: Command = {
	summary: "Interconnection requests by any filter of /projects",
	examples: [
		"eids projects --state TX --status Active --fields id,name,capacity_mw",
		"eids projects --region MISO --fuel-type Solar --sort capacity_mw --order desc --limit 10",
		"eids projects --state TX --all --output csv > texas.csv",
	],
	flags: [...limit, ...flagsOf("listProjects")],
	takes: [0, 0],
	run: (run) => writeRows(run, "listProjects", projectColumns),
};

const developerColumns: (keyof ListRow<"listDevelopers">)[] = [
	"developer_id",
	"canonical_name",
	"tier",
	"total_projects",
	"active_capacity_mw",
];
export const developers: Command = {
	summary: "Developers with their portfolios, by any filter of /developers",
	examples: ["eids developers --sort active_capacity_mw --limit 20"],
	flags: [...limit, ...flagsOf("listDevelopers")],
	takes: [0, 0],
	run: (run) => writeRows(run, "listDevelopers", developerColumns),
};

const poiColumns: (keyof ListRow<"listPois">)[] = [
	"poi_id",
	"name",
	"voltage_kv",
	"state",
	"active_requests",
	"active_mw",
	"withdrawn_mw",
];
export const pois: Command = {
	summary: "Points of interconnection with their requests by outcome",
	examples: ["eids pois --state TX --sort active_mw --limit 10", "eids pois --region CAISO --q Windhub"],
	flags: [...limit, ...flagsOf("listPois")],
	takes: [0, 0],
	run: (run) => writeRows(run, "listPois", poiColumns),
};

export const search: Command = {
	words: "TEXT",
	summary: "Requests, developers, counties and points of interconnection by name or number; best first",
	examples: ['eids search "ERCOT 27INR0061"', 'eids search "Midway 500 kV"', "eids search NextEra --limit 5"],
	flags: [{ name: "limit", note: "Maximum number of rows (20 when absent)" }, ...flagsOf("search", ["q"])],
	takes: [1, 1],
	async run({ data, flags, words, format }) {
		const [q = ""] = words;
		const as_of = flags.get("as_of");
		const per_page = readWholeNumber(flags, "limit", 20);
		const { results, corrected } = await data.search({ q, per_page, ...(as_of !== undefined && { as_of }) });
		if (corrected !== undefined) note(`eids: nothing matches "${q}"; these match "${corrected}"`);
		const output = new Output({ format });
		for (const hit of results) await output.row(format === "table" || format === "csv" ? columnsOf(hit) : hit);
		await output.end();
	},
};

type Hit = Reply<"search">["results"][number];
/** Hits of all kinds in the same columns. */
const columnsOf = (hit: Hit) => ({
	kind: hit.kind,
	id:
		hit.kind === "project"
			? hit.id
			: hit.kind === "developer"
				? hit.developer_id
				: hit.kind === "poi"
					? hit.poi_id
					: hit.fips,
	name: hit.name,
	state: hit.kind === "developer" ? null : hit.state,
	status: hit.kind === "project" ? hit.status_std : null,
	capacity_mw: hit.kind === "project" ? hit.capacity_mw : hit.total_capacity_mw,
});

/** Parameters of the stream that the list of changes does not have. */
const streamOnlyFlags = flagsOf("streamChanges").filter(
	({ name }) => !flagsOf("listChanges").some((each) => each.name === name),
);

export const changes: Command = {
	summary: "Changes in the queues; with --follow as they happen",
	more: `Newest first, or oldest first after a \`seq\` (--after). ${followHelp}`,
	examples: [
		"eids changes --since-days 7 --change-type status_change --region PJM",
		"eids changes --follow --state TX",
		"eids changes --after 0 --all --output jsonl > changes.jsonl",
	],
	flags: [
		{ name: "follow", note: "Continues with new changes; with --after, starts after that change", isSwitch: true },
		...limit,
		...flagsOf("listChanges"),
		...streamOnlyFlags,
	],
	takes: [0, 0],
	run: (run) => (isOn(run.flags, "follow") ? follow(run) : writeRows(run, "listChanges", changeColumns)),
};

export const watch: Command = {
	words: "[WATCHLIST]",
	summary: "Changes of a watchlist or filter as they happen, or by e-mail",
	more: "A watchlist is given by its number, needs your key, and is polled every --every seconds. Without one, the filters are those of `eids changes --follow`. With --email the service mails the changes from now on, once the link in the first mail is opened, and the command ends.",
	examples: [
		"eids watch 3",
		"eids watch --region ERCOT --fuel-type Storage",
		"eids watch 3 --after 0 --output jsonl",
		"eids watch 3 --email you@example.com",
	],
	flags: [
		{ name: "email", note: "Address that the changes are mailed to; needs your key" },
		{ name: "digest", note: "With --email: daily (when absent), or none for mails as changes are recorded" },
		{ name: "every", note: "Seconds between polls of a watchlist (60 when absent)" },
		{ name: "fields", note: "Fields to show, in this order" },
		...flagsOf("streamChanges"),
	],
	takes: [0, 1],
	async run(run) {
		const [watchlist] = run.words;
		if (watchlist !== undefined && !/^[1-9]\d{0,14}$/.test(watchlist))
			throw new UsageError(`"${watchlist}" is not the number of a watchlist, as in eids watch 3`);
		if (run.flags.has("email")) return mailChanges(run, watchlist);
		if (run.flags.has("digest")) throw new UsageError("--digest requires --email");
		if (watchlist === undefined) {
			if (run.flags.has("every")) throw new UsageError("--every requires a watchlist");
			return follow(run);
		}
		refuseOthers(run, ["every", "after", "fields", "output", "url"], "a watchlist, which has its own filters");
		const everyMs = 1_000 * readWholeNumber(run.flags, "every", 60);
		const after = run.flags.has("after") ? readWholeNumber(run.flags, "after", 0, 0) : undefined;
		const columns = ["seq", "event", ...changeColumns.slice(1)];
		await followWatchlist(
			run.data,
			{ watchlistId: Number(watchlist), after, everyMs },
			liveOutput(run, columns, ["event", "project"]),
		);
	},
};

/** @throws UsageError if a flag is given that is not one of `allowed`. `conflict` is what it cannot be combined with */
function refuseOthers({ flags }: Run, allowed: readonly string[], conflict: string): void {
	for (const name of flags.keys())
		if (!allowed.includes(name))
			throw new UsageError(`--${name.replaceAll("_", "-")} cannot be combined with ${conflict}`);
}

/** Creates a webhook that mails the changes of a watchlist, or of the filters. */
async function mailChanges(run: Run, watchlist: string | undefined): Promise<void> {
	const { data, flags, format } = run;
	const filterNames = flagsOf("streamChanges", ["after"]).map(({ name }) => name);
	const allowed = ["email", "digest", "after", "output", "url"];
	if (watchlist === undefined) refuseOthers(run, [...allowed, ...filterNames], "--email");
	else refuseOthers(run, allowed, "--email and a watchlist, which has its own filters");
	const digest = flags.get("digest") ?? "daily";
	if (digest !== "daily" && digest !== "none") throw new UsageError("--digest must be daily or none");
	const filters = Object.fromEntries([...flags].filter(([name]) => filterNames.includes(name)));
	const { secret: _, ...webhook } = await data.createWebhook({
		url: `mailto:${flags.get("email")}`,
		digest: digest === "daily" ? digest : null,
		...(watchlist !== undefined && { watchlist_id: Number(watchlist) }),
		...(Object.keys(filters).length > 0 && { filters: filters as never }),
		...(flags.has("after") && { after: readWholeNumber(flags, "after", 0, 0) }),
	});
	await writeObject(webhook, format);
	note(`eids: open the link that is mailed to ${flags.get("email")}; the changes follow`);
}

async function follow(run: Run): Promise<void> {
	const streamFlags = flagsOf("streamChanges").map(({ name }) => name);
	refuseOthers(run, [...streamFlags, "follow", "fields", "output", "url"], "--follow");
	const params = Object.fromEntries([...run.flags].filter(([name]) => streamFlags.includes(name)));
	await followChanges(run.data, params, liveOutput(run, changeColumns));
}

/** Creates an output that also selects the fields, because the stream has no parameter `fields`. */
function liveOutput(run: Run, defaultColumns: readonly string[], extraFields: readonly string[] = []): Output {
	const fields = fieldsOf(run, "listChanges", extraFields);
	const columns = fields ?? (run.format === "table" ? defaultColumns : undefined);
	return new Output({ format: run.format, columns, isPicked: fields !== undefined, isLive: true });
}

async function writeRows(run: Run, operation: ListName, defaultColumns: readonly string[]): Promise<void> {
	const { data, flags, format } = run;
	if (isOn(flags, "all") && flags.has("limit")) throw new UsageError("--all cannot be combined with --limit");
	const maxRows = isOn(flags, "all") ? Number.POSITIVE_INFINITY : readWholeNumber(flags, "limit", defaultRows);
	const requested = fieldsOf(run, operation);
	// A table shows few columns, so the service need not send the others.
	const fields = requested ?? (format === "table" ? defaultColumns : undefined);
	const takesFields = flagsOf(operation).some(({ name }) => name === "fields");
	const commandFlags = ["limit", "all", "follow", "fields", "output", "url"];
	const params = {
		...Object.fromEntries([...flags].filter(([name]) => !commandFlags.includes(name))),
		...(fields !== undefined && takesFields && { fields: fields.join(",") }),
		per_page: Math.min(maxRows + 1, maxPageRows),
	};
	const output = new Output({ format, columns: fields, isPicked: fields !== undefined });
	const after = flags.get("after");
	const rows = after === undefined ? data.rows(operation, params as never) : data.feed({ ...params, after } as never);
	let shownCount = 0;
	for await (const row of rows) {
		if (shownCount === maxRows) {
			note(`eids: there are more than ${maxRows} rows: use --limit N or --all`);
			break;
		}
		await output.row(row);
		shownCount++;
	}
	await output.end();
}

/** A failure of the first connection is an error; a connection that is lost later is retried. */
function createConnectionCallbacks(): { onOpen(): void; onLost(error: unknown): void } {
	let hasConnected = false;
	let isLost = false;
	return {
		onOpen() {
			if (isLost) note("eids: connected again");
			[hasConnected, isLost] = [true, false];
		},
		onLost(error) {
			if (!hasConnected) throw error;
			if (!isLost) note("eids: the connection was lost; trying again");
			isLost = true;
		},
	};
}

async function followChanges(data: Client, params: object, output: Output): Promise<never> {
	for await (const event of data.events<Row>("streamChanges", params as never, createConnectionCallbacks()))
		await output.row(event.data);
	throw new Error("the change stream ended unexpectedly");
}

/** A watchlist has no stream: it is polled every `everyMs` for changes after the last `seq`. */
async function followWatchlist(
	data: Client,
	{ watchlistId, after, everyMs }: { watchlistId: number; after: number | undefined; everyMs: number },
	output: Output,
): Promise<never> {
	const { onOpen, onLost } = createConnectionCallbacks();
	let from = after ?? (await readLastSeq(data, watchlistId));
	while (true) {
		try {
			const page = await data.listWatchlistChanges({ watchlist_id: watchlistId, after: from });
			onOpen();
			for (const change of page.data) await output.row(change);
			const isEnd = page.next === from;
			from = page.next;
			if (!isEnd) continue;
		} catch (error) {
			if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
			onLost(error);
		}
		await pause(everyMs);
	}
}

async function readLastSeq(data: Client, watchlistId: number): Promise<number> {
	const { watchlist } = await data.getWatchlist({ watchlist_id: watchlistId, per_page: 1 });
	return watchlist.seq ?? 0;
}
