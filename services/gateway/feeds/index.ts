/** Atom feeds and calendars: other formats of operations' responses, at the operations' addresses with the extension `.atom` or `.ics`. */
import { invalid } from "#libs/contract/errors.ts";
import type { OperationName, operations, Params, Reply } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations, type Rendering } from "../registry/bindings.ts";
import { atomDocument, changeEntry, type Feed, newsEntry } from "./atom.ts";
import { calendarDocument, calendarFields, maxRequests } from "./calendar.ts";

type Declaring<E extends "atom" | "ics"> = {
	[N in OperationName]: (typeof operations)[N] extends { alsoAs: readonly (infer A)[] }
		? E extends A
			? N
			: never
		: never;
}[OperationName];

interface Source<N extends OperationName, Content> {
	/** Parameters that this format does not accept, in addition to `cursor`. */
	refused?: readonly (keyof Params<N>)[];
	/** Parameters that this format sets. */
	set?(params: Params<N>): Partial<Params<N>>;
	content(reply: Reply<N>, site: string): Content;
}

/** Maximum entries of a feed. */
const maxEntries = 100;
/** A feed without a requested period has the changes of these last days, because a feed reader may check it less than once a day. */
const defaultDays = 7;

const feeds: { [N in Declaring<"atom">]: Source<N, Feed> } = {
	listChanges: {
		refused: ["after", "fields"],
		set: ({ since_days, since, until, project_id }) =>
			[since_days, since, until, project_id].every((each) => each === undefined) ? { since_days: defaultDays } : {},
		content: ({ data }, site) => ({
			title: "Changes in the queues",
			entries: data.map((row) => changeEntry(row, site)),
		}),
	},
	listWatchlistChanges: {
		set: () => ({ newest: true }),
		content: ({ data }, site) => ({
			title: "Changes of a watchlist",
			entries: data.map((row) => changeEntry(row, site)),
		}),
	},
	listEvents: {
		content: ({ data }, site) => ({
			title: "News about developers",
			entries: data.map((row) => newsEntry(row, row.developer_canonical, site)),
		}),
	},
	listDeveloperEvents: {
		content: ({ data, developer }, site) => ({
			title: `News about ${developer}`,
			entries: data.map((row) => newsEntry(row, developer, site)),
		}),
	},
};

const calendars: { [N in Declaring<"ics">]: Source<N, Parameters<typeof calendarDocument>[0]> } = {
	listProjects: {
		refused: ["fields"],
		set: ({ sort }) => ({ fields: [...calendarFields], per_page: maxRequests, ...(sort === "id" && { sort: "cod" }) }),
		content: ({ data, meta }) => ({ name: "Interconnection requests", rows: data, total: meta.total }),
	},
	getWatchlist: {
		set: () => ({ per_page: maxRequests }),
		content: ({ watchlist, data, meta }) => ({ name: watchlist.name, rows: data, total: meta.total }),
	},
};

interface Listed {
	page?: number;
	per_page?: number;
	total?: number;
	meta?: Listed;
}

/** Whether a list has another page after this one. */
function hasMore({ meta, ...listed }: Listed): boolean {
	const { page = 1, per_page = 0, total = 0 } = { ...meta, ...listed };
	return page * per_page < total;
}

const atom = (source: Source<OperationName, Feed>): Rendering => ({
	mediaType: "application/atom+xml; charset=utf-8",
	params(params) {
		const { per_page = 0 } = params as Listed;
		if (per_page > maxEntries) throw refusal("per_page", `must be at most ${maxEntries} for a feed`);
		return paramsOf(source, params);
	},
	render: (reply, { url, site }) =>
		atomDocument(source.content(reply as never, site), { url, site, hasMore: hasMore(reply) }),
});

const ics = (source: Source<OperationName, Parameters<typeof calendarDocument>[0]>): Rendering => ({
	mediaType: "text/calendar; charset=utf-8",
	params: (params) => paramsOf(source, params),
	render: (reply, { site }) => calendarDocument(source.content(reply as never, site), site),
});

function paramsOf<N extends OperationName>({ refused = [], set }: Source<N, unknown>, params: object): object {
	for (const name of [...refused, "cursor"])
		if ((params as Record<PropertyKey, unknown>)[name] !== undefined)
			throw refusal(String(name), "is not accepted here: request the JSON, at the address without the extension");
	return { ...params, ...set?.(params as Params<N>) };
}

const refusal = (name: string, msg: string) => invalid([{ loc: ["query", name], msg }]);

export const renderings = (): HttpOperation[] =>
	httpOperations().flatMap((declared) =>
		(declared.operation.alsoAs ?? []).map((extension) => ({
			...declared,
			http: { ...declared.http, path: `${declared.http.path}.${extension}` as const },
			rendering:
				extension === "atom"
					? atom(feeds[declared.name as keyof typeof feeds] as never)
					: ics(calendars[declared.name as keyof typeof calendars] as never),
		})),
	);
