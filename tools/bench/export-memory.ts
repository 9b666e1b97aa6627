/** Memory of the real processes during exports to ten callers at once, one of them reading slowly and one leaving midway. */
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { Bench } from "./system.ts";

export const measured = ["gateway", "queue-ingest"] as const;
/** Resident memory (MB): before, and the most while exporting. */
export type Growth = Record<(typeof measured)[number], { before: number; most: number }>;

/** Requests that are made up, so many of them. Their `body` is empty: no export reads it. */
export async function fillMadeUp(sql: Sql, rows: number): Promise<void> {
	await sql.begin(async (tx) => {
		await tx`alter table projects disable trigger user`;
		await tx`
			insert into projects (id, queue_id, region, feed, key, kind, name, state, county, counties, fips, developer, type, type_std,
				status, status_std, capacity_mw, summer_mw, queue_date, cod, construction_stage, construction_stage_confidence,
				study_phase, ia_status, poi, utility, service, lat, lon, location_precision, energy_community_eligible,
				first_seen_at, last_changed_at, version, row_hash, body)
			select 'PJM-' || lpad(n::text, 9, '0'), 'AG' || n, 'PJM', 'pjm-cycle', 'ag' || n, 'generation', 'Project "' || n || '" Energy',
				(array['OH', 'PA', 'VA', 'IN', 'IL'])[1 + n % 5], 'County ' || n % 300, array['County ' || n % 300], lpad((n % 56000)::text, 5, '0'),
				'Developer ' || n % 4000 || ' LLC', 'Solar; Storage', (array['Solar', 'Wind', 'Storage', 'Gas'])[1 + n % 4],
				'In Progress', 'Active', n % 4000 / 10.0, n % 3000 / 10.0, date '2015-01-01' + n % 4000, date '2027-01-01' + n % 2000,
				'early', (n % 100) / 100.0, 'SIS', 'System Impact Study', 'Substation ' || n % 9000 || ' 138 kV', 'Utility ' || n % 40,
				'ERIS', 38 + (n % 1000) / 999.0, -82 + (n % 777) / 776.0, 'county', n % 3 = 0,
				now(), now(), 1, md5(n::text), ''
			from generate_series(1, ${rows}) as n
			on conflict do nothing`;
		await tx`alter table projects enable trigger user`;
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze projects`;
}

/** Every whole answer must have the same length. The slow reader takes up speed when the others are done. */
export async function exportAtOnce(bench: Pick<Bench, "url" | "pidOf">, path: string, callers = 10): Promise<Growth> {
	const growth = Object.fromEntries(
		measured.map((name) => [name, { before: residentMb(bench.pidOf(name)), most: 0 }]),
	) as Growth;
	const timer = setInterval(() => {
		for (const name of measured) growth[name].most = Math.max(growth[name].most, residentMb(bench.pidOf(name)));
	}, 20);
	try {
		const url = `${bench.url}${path}`;
		const others: { done: boolean } = { done: false };
		const quick = Promise.all(Array.from({ length: callers - 2 }, () => lengthOf(url))).finally(() => {
			others.done = true;
		});
		const [lengths, slow] = await Promise.all([quick, readSlowly(url, others), leaveMidway(url)]);
		const all = new Set([...lengths, slow]);
		if (all.size !== 1) throw new Error(`answers of different lengths: ${[...all]}`);
		return growth;
	} finally {
		clearInterval(timer);
	}
}

async function open(url: string): Promise<IncomingMessage> {
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		get(url, { agent: false }, resolve).on("error", reject);
	});
	if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
	return response;
}

export async function lengthOf(url: string): Promise<number> {
	let length = 0;
	for await (const chunk of await open(url)) length += chunk.length;
	return length;
}

async function readSlowly(url: string, others: { done: boolean }): Promise<number> {
	let length = 0;
	for await (const chunk of await open(url)) {
		length += chunk.length;
		if (!others.done) await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return length;
}

async function leaveMidway(url: string): Promise<void> {
	const response = await open(url);
	let length = 0;
	for await (const chunk of response) {
		length += chunk.length;
		if (length > 2_000_000) break;
	}
	response.destroy();
}

export function residentMb(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
	return Number(kilobytes) / 1024;
}
