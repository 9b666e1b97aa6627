/** Reads as a user of the gateway does: lists from end to end, single answers, no matter how long they take. */
import { setTimeout as pause } from "node:timers/promises";
import type { Reply } from "../../libs/contract/index.ts";
import { type Probed, readProbes } from "./changes.ts";
import { linkJudgements } from "./links.ts";

export type Project = Reply<"listProjects">["data"][number];
export type Investable = Reply<"listInvestable">["data"][number];
export type Deal = Reply<"listItcDeals">["data"][number];
export type Rated = Reply<"getCapitalLeaderboard">["data"][number];

export interface Readings {
	/** All requests, unlisted ones included. */
	projects: Project[];
	investable: Investable[];
	/** The first fifty. */
	deals: Deal[];
	leaderboard: Rated[];
	/** By operator: the day of its newest list, by which dates are judged. */
	listDays: Map<string, string>;
	stats: Reply<"getStats">["data"];
	/** Totals of lists by their filters. */
	everything: number;
	solar: number;
	activeByDefault: number;
	/** Changes of single lists. */
	probed: Probed[];
	/** The plants of requests whose links were read by hand. */
	linked: Map<string, number | null>;
}

interface Page<Row> {
	data: Row[];
	meta: { total: number; next_cursor?: string | null };
}

export async function readAnswers(url: string): Promise<Readings> {
	const get = <T>(path: string, params: Record<string, string> = {}) => ask<T>(url, path, params);
	const projects = await readAll<Project>(url, "/projects", { include_unlisted: "true", per_page: "500" });
	const listDays = new Map<string, string>();
	for (const [region, rows] of Map.groupBy(projects, (project) => project.region)) {
		const open = rows.find(({ listed, investability_score }) => listed === "listed" && investability_score !== null);
		const score = open && (await get<Reply<"getScore">>(`/score/${encodeURIComponent(open.id)}`));
		if (score?.facts_as_of) listDays.set(region, score.facts_as_of);
	}
	const known = new Set(projects.map(({ id }) => id));
	const linked = new Map<string, number | null>();
	for (const { request } of linkJudgements.filter(({ request }) => known.has(request))) {
		const { plant } = await get<Reply<"getOwnership">>(`/projects/${encodeURIComponent(request)}/ownership`);
		linked.set(request, plant?.plant_id ?? null);
	}
	const total = async (params: Record<string, string>) =>
		(await get<Page<Project>>("/projects", { ...params, per_page: "1" })).meta.total;
	return {
		projects,
		investable: await readAll<Investable>(url, "/investable", { per_page: "200" }),
		deals: (await get<Page<Deal>>("/deals/itc", { per_page: "50" })).data,
		leaderboard: await readAll<Rated>(url, "/capital/leaderboard", { sort: "distress", per_page: "200" }),
		listDays,
		stats: (await get<Reply<"getStats">>("/stats")).data,
		everything: await total({ population: "all", include_unlisted: "true" }),
		solar: await total({ fuel_type: "Solar" }),
		activeByDefault: await total({ status: "Active" }),
		probed: await readProbes(get),
		linked,
	};
}

async function readAll<Row>(url: string, path: string, params: Record<string, string>): Promise<Row[]> {
	const rows: Row[] = [];
	for (let cursor: string | null | undefined = "*"; cursor; ) {
		const { data, meta }: Page<Row> = await ask(url, path, { ...params, cursor });
		rows.push(...data);
		cursor = meta.next_cursor;
	}
	return rows;
}

const patience = { tries: 5, ms: 2_000 };

/** Throws for an answer that is none, after some tries: a gateway that is busy says so with 503. */
export async function ask<T>(url: string, path: string, params: Record<string, string> = {}): Promise<T> {
	const address = `${url}${path}?${new URLSearchParams(params)}`;
	for (let left = patience.tries; ; left--) {
		const answer = await fetch(address);
		if (answer.ok) return (await answer.json()) as T;
		const isBusy = answer.status === 503 || answer.status === 429;
		if (!isBusy || left === 0) throw new Error(`${address}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
		await pause(patience.ms);
	}
}
