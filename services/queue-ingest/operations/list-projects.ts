import { gone } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply, Versioned } from "#libs/contract/index.ts";
import { keepRecent } from "#libs/contract/keep-recent.ts";
import type { Resources } from "../resources.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import type { Moment, Moments } from "./moments.ts";
import { PageStarts } from "./page-starts.ts";
import { type Page, readPage } from "./project-page.ts";

/** Of filters whose totals are kept, each true for one data version: a page of unchanged data is not counted again. */
const mostTotals = 2_000;

export function listProjects({ sql, moments }: Resources): Handler<"listProjects"> {
	const totals = new Map<string, { version: number; total: number }>();
	const starts = new PageStarts();
	return async (params) => {
		if (params.cursor !== undefined) return walkProjects(moments, params, params.cursor);
		const { page, per_page, sort, order, cursor, ...filters } = params;
		const key = JSON.stringify(filters);
		const list = `${key} ${order} ${per_page}`;
		const kept = totals.get(key);
		// Only ids are in an index that pages are read from: other orders sort everything that passes the filters.
		const start = sort === "id" ? starts.before(list, page) : undefined;
		let found = await readPage(sql, params, { counted: kept === undefined, start });
		const stale = [kept, start].some((known) => known !== undefined && known.version !== found.version);
		if (stale) found = await readPage(sql, params, { counted: true });
		const total = found.total ?? kept?.total ?? 0;
		keepRecent(totals, key, { version: found.version, total }, mostTotals);
		if (found.last !== null) starts.set(list, found.version, { page: page + 1, after: found.last });
		return { json: written(found, { total, page, per_page }), dataVersion: found.version };
	};
}

/** The next page of a walk, as of the moment in which the walk began. */
async function walkProjects(
	moments: Moments,
	given: Params<"listProjects">,
	text: string,
): Promise<Versioned<Reply<"listProjects">>> {
	const { page: _, cursor: __, ...asked } = given;
	const question = JSON.stringify(asked);
	const cursor = text === "*" ? undefined : readCursor(question, text);
	const { page, after } = cursor ?? { page: 1, after: null };
	const options = { counted: cursor === undefined, start: after === null ? undefined : { page, after } };
	const read = (at: Moment) => moments.at(at, (tx) => readPage(tx, { ...given, page }, options));
	let moment: Moment = cursor ?? (await moments.begin());
	let found = await read(moment);
	if (found === undefined) {
		// Held no longer. While the data is still the same, another moment is as good.
		moment = await moments.begin();
		if (cursor === undefined || moment.dataVersion === cursor.dataVersion) found = await read(moment);
	}
	if (found === undefined)
		throw gone("the data has changed since this walk began, too long ago: begin again with cursor=*");
	const { snapshot, dataVersion } = moment;
	const { per_page } = given;
	const total = cursor?.total ?? found.total ?? 0;
	const next = { snapshot, dataVersion, page: page + 1, after: found.last, total };
	const nextCursor = page * per_page < total ? writeCursor(question, next) : null;
	return { json: written(found, { total, page, per_page, nextCursor }), dataVersion };
}

interface Meta {
	total: number;
	page: number;
	per_page: number;
	nextCursor?: string | null;
}

function written({ rows }: Page, { nextCursor, ...meta }: Meta): Buffer {
	const { total, per_page } = meta;
	const shown = {
		...meta,
		pages: Math.ceil(total / per_page),
		...(nextCursor !== undefined && { next_cursor: nextCursor }),
	};
	return Buffer.concat([Buffer.from('{"data":['), rows, Buffer.from(`],"meta":${JSON.stringify(shown)}}`)]);
}
