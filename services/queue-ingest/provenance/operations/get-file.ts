/** Describes an archived file, and returns its bytes if its terms allow that. Nothing else decides whether a file may be redistributed. */
import { ConcurrencyLimit } from "#libs/bus/concurrency-limit.ts";
import { forbidden, notFound, unavailable } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { datasets } from "../../datasets/index.ts";
import { epmNew, epmPlanned } from "../../plants/sources/electric-power-monthly.ts";
import { eia860 } from "../../plants/sources/index.ts";
import { eia861Distributed, eia861NetMetering } from "../../queues/distributed/sources/eia861.ts";
import { operators, partialSources, programmes, sources } from "../../queues/sources/index.ts";
import type { Resources } from "../../resources.ts";
import { fileName } from "../../sources/archive.ts";
import { DamagedArchive, readArchivedBytes } from "../read-rows.ts";

type File = Reply<"getFile">;

/** Maximum loads in a response. Fetching a file again is a load only if a different file was loaded in between. */
const maxLoads = 100;

async function describeFile(sql: Sql, sha256: string): Promise<File> {
	const [file] = await sql<{ bytes: number; archived_at: string; feeds: (string | null)[]; loads: File["loads"] }[]>`
		select r.size_bytes::float8 as bytes, iso(r.archived_at) as archived_at,
			-- A file that could not be read is not attributed to the feed.
			(select coalesce(json_agg(distinct case when f.rows_in is null then '' else coalesce(f.feed, '') end), '[]')
				from snapshot_files f where f.sha256 = r.sha256) as feeds,
			(select coalesce(json_agg(l), '[]') from (
				select s.id as snapshot_id, ${fileName(sql, sql`f.name`)} as name, f.feed, f.url, iso(f.fetched_at) as loaded_at, f.published_on, iso(s.as_of) as as_of,
					s.outcome, f.rows_in, f.requests
				from snapshot_files f join snapshots s on s.id = f.snapshot_id where f.sha256 = r.sha256
				order by s.id desc limit ${maxLoads}) l) as loads
		from raw_files r where r.sha256 = ${sha256}`;
	if (file === undefined) throw notFound(`no file with the SHA-256 ${sha256}`);
	const { feeds, ...details } = file;
	const terms = findStrictestTerms(feeds.map((feed) => (feed === "" ? null : feed)));
	return {
		sha256,
		...details,
		publisher: terms.publisher,
		licence: terms.licence,
		may_be_passed_on: terms.mayBePassedOn,
	};
}

export function getFile({ sql }: Resources): Handler<"getFile"> {
	return async ({ sha256 }) => {
		const dataVersion = await readDataVersion(sql);
		return { json: JSON.stringify(await describeFile(sql, sha256)), dataVersion };
	};
}

const chunkBytes = 256 * 1024;
/** Maximum files sent at once, because each is in memory until it is sent. */
const sendLimit = new ConcurrencyLimit(3);

export function getFileBytes({ sql }: Resources): Handler<"getFileBytes"> {
	return async function* ({ sha256 }, { head }) {
		const dataVersion = await readDataVersion(sql);
		const file = await describeFile(sql, sha256);
		if (!file.may_be_passed_on)
			throw forbidden(`the file is not passed on: ${file.licence}. /files/${sha256} describes it`);
		if (!sendLimit.acquire()) throw unavailable("other files are being sent; try again in a few seconds", 5);
		try {
			const bytes = await readArchivedBytes(sql, sha256);
			head?.({ "x-data-version": String(dataVersion) });
			for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
		} catch (error) {
			throw error instanceof DamagedArchive ? unavailable(error.message, 3600) : error;
		} finally {
			sendLimit.release();
		}
	};
}

interface Terms {
	publisher: string;
	licence: string;
	mayBePassedOn: boolean;
}

const publicDomain: Terms = {
	publisher: "U.S. Energy Information Administration",
	licence: "Public domain",
	mayBePassedOn: true,
};

const berkeleyLab: Terms = {
	publisher: "Lawrence Berkeley National Laboratory",
	licence: "CC BY 4.0: Lawrence Berkeley National Laboratory, Queued Up",
	mayBePassedOn: true,
};

const withheldNotice =
	"Published for the public on the publisher's site; facts are republished here, the file itself is not";
const redistributable: Readonly<Record<string, Terms>> = {
	...Object.fromEntries(["lbnl", ...partialSources.map(({ feed }) => feed)].map((feed) => [feed, berkeleyLab])),
	...Object.fromEntries(
		[eia860, eia861NetMetering, eia861Distributed, epmPlanned, epmNew].map(({ feed }) => [feed, publicDomain]),
	),
};

/** Files may be redistributed only if `redistributable` contains their feed. */
function termsOf(feed: string | null): Terms {
	const terms = feed === null ? undefined : redistributable[feed];
	if (terms !== undefined) return terms;
	const source = [...sources, ...programmes].find((one) => one.feed === feed);
	const region = source?.region ?? datasets.find((one) => one.feed === feed)?.region;
	const operator = region === undefined || region === null ? undefined : operators[region];
	return {
		publisher: operator?.publisher ?? "Its publisher",
		licence: source?.publication?.licence ?? operator?.licence ?? withheldNotice,
		mayBePassedOn: false,
	};
}

/** Returns the strictest terms of a file that was loaded for several feeds. */
function findStrictestTerms(feeds: readonly (string | null)[]): Terms {
	const all = (feeds.length === 0 ? [null] : feeds).map(termsOf);
	return all.find((terms) => !terms.mayBePassedOn) ?? all[0] ?? termsOf(null);
}
