import { z } from "zod";
import { gone } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply, Versioned } from "#libs/contract/index.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { PageStarts, type Start } from "#libs/postgres/page-starts.ts";
import { type Total, Totals } from "#libs/postgres/totals.ts";
import type { Resources } from "../resources.ts";
import { readAsOf } from "./as-of.ts";
import { type ChangePage, readChanges, type Span } from "./change-page.ts";
import { readCursor, writeCursor } from "./cursor.ts";

type Listed = Params<"listChanges">;
/** How many changes a span held, and at which data version. */
type Known = Total<number>;

export function listChanges(resources: Resources): Handler<"listChanges"> {
	const { sql, now } = resources;
	const totals = new Totals();
	const starts = new PageStarts<number>();
	return async (params) => {
		if (params.cursor !== undefined) return walkChanges(resources, params, params.cursor);
		const { page, per_page, cursor, ...filters } = params;
		// Time takes changes from the span, and from its middle where a list came late. Of one version and still as many, they are the same.
		const listOf = ({ total }: Known) => `${JSON.stringify(filters)} ${total}`;
		const startAt = (known: Known) => {
			const place = starts.before(listOf(known), (page - 1) * per_page);
			return place?.version === known.version ? place.start : undefined;
		};
		const found = await readPage(sql, spanOf(params, now()), params, { known: totals.get(filters), startAt });
		const { version } = found;
		totals.set(filters, found);
		if (found.starts !== null) starts.set(listOf(found), version, found.starts);
		return { json: written(found, { total: found.total, page, per_page }), dataVersion: version };
	};
}

const spanOf = ({ since_days, region, change_type, developer }: Listed, now: Date): Span => ({
	since: new Date(now.getTime() - since_days * 86_400_000),
	region,
	change_type,
	developer,
});

/** Readings of a page while changes are added all the time: what the last one finds is right, though its last rows may be missing. */
const mostReadings = 5;

/** A page is read as if the span held what is known of it, and again where it holds something else by now. */
async function readPage(
	sql: Sql | Transaction,
	span: Span,
	{ page, per_page }: Pick<Listed, "page" | "per_page">,
	{ known, startAt }: { known?: Known | undefined; startAt?: (known: Known) => Start<number> | undefined },
): Promise<ChangePage> {
	for (let taken = known, readings = 1; ; readings++) {
		const found = await readChanges(sql, span, {
			row: (page - 1) * per_page,
			// The last one finds what it finds by itself: a place may be of the version before.
			start: taken && readings < mostReadings ? startAt?.(taken) : undefined,
			limit: rowsOf(page, per_page, taken?.total ?? 0),
		});
		const asKnown = found.total === taken?.total && found.version === taken.version;
		if (found.total === 0 || asKnown || readings === mostReadings) return found;
		taken = found;
	}
}

/** Rows that a page has of so many. */
const rowsOf = (page: number, perPage: number, total: number): number =>
	Math.max(0, Math.min(perPage, total - (page - 1) * perPage));

/** What a cursor holds. */
const walkFields = z.tuple([
	/** Beginning of the span. */
	z.iso.datetime(),
	/** Highest `seq` of all changes when the walk began. */
	z.int().min(1),
	/** Changes of the whole walk. */
	z.int().min(1),
	/** The next page, and the `seq` below which it begins. */
	z.int().min(2),
	z.int().min(1),
	/** Snapshot and data version of the moment that a walk through a developer's changes reads by. */
	z.tuple([z.string(), z.int().min(0)]).nullable(),
]);

/**
 * The next page of a walk. Changes are only ever added, with a higher `seq`: below that of the page before, everything is as it was when
 * the walk began. Only which requests are a developer's may change, so that a walk of one reads as of a moment that is held.
 */
async function walkChanges(
	{ sql, now, moments }: Resources,
	given: Listed,
	text: string,
): Promise<Versioned<Reply<"listChanges">>> {
	const { page: _, cursor: __, ...asked } = given;
	const { per_page, developer } = asked;
	const question = JSON.stringify(asked);
	const begun = text === "*" ? undefined : readCursor(question, text, walkFields);
	const [since, newestThen, totalThen, page, after, held] = begun ?? [undefined, 0, 0, 1, 0, null];
	const span = spanOf(given, now());
	if (since !== undefined) span.since = new Date(since);
	const row = (page - 1) * per_page;
	const limit = rowsOf(page, per_page, totalThen);
	const read = (from: Sql | Transaction) =>
		begun === undefined
			? readPage(from, span, { page, per_page }, {})
			: readChanges(from, span, { row, start: [row, after], limit, total: totalThen });
	const { moment, found } =
		developer === undefined
			? { moment: null, found: await read(sql) }
			: await readAsOf(moments, held === null ? undefined : { snapshot: held[0], dataVersion: held[1] }, read);
	// Only the changes of the bundled sample ever go.
	if (found.newest < newestThen) throw gone("what this walk read of is gone: begin again with cursor=*");
	const { total, version } = found;
	const last = found.starts?.at(-1)?.[1];
	const more = last !== undefined && page * per_page < total;
	const next: z.input<typeof walkFields> = [
		span.since.toISOString(),
		begun === undefined ? found.newest : newestThen,
		total,
		page + 1,
		last ?? 1,
		moment && [moment.snapshot, moment.dataVersion],
	];
	const nextCursor = more ? writeCursor(question, next) : null;
	return { json: written(found, { total, page, per_page, nextCursor }), dataVersion: version };
}

interface Meta {
	total: number;
	page: number;
	per_page: number;
	nextCursor?: string | null;
}

function written({ rows }: ChangePage, { nextCursor, ...meta }: Meta): Buffer {
	const head = JSON.stringify(meta).slice(0, -1);
	const tail = nextCursor === undefined ? "]}" : `],"next_cursor":${JSON.stringify(nextCursor)}}`;
	return Buffer.concat([Buffer.from(`${head},"data":[`), rows, Buffer.from(tail)]);
}
