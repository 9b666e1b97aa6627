/** The other developers of the same tier that have a listed request, with what is said of each. */
import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "../../lib/api.ts";
import { walk } from "../../lib/walk.ts";

export type Peer = Reply<"getCapitalLeaderboard">["data"][number];
type Developer = Reply<"listDevelopers">["data"][number];

export interface Peers {
	ratings: Peer[];
	portfolios: Developer[];
	/** Some were not read: the tier has more than the bound. */
	isPart: boolean;
}

export async function readPeers(tier: string, own: number, signal: AbortSignal): Promise<Peers> {
	const ratings = await walk<Peer>(async (page) => {
		const query = { tier, sort: "distress", page, per_page: pageRows };
		const { data, meta } = await read("getCapitalLeaderboard", "/capital/leaderboard", query, signal);
		return { rows: data, total: meta.total };
	});
	const portfolios = await walk<Developer>(async (page) => {
		const { data, meta } = await read(
			"listDevelopers",
			"/developers",
			{ tier, min_projects: 1, page, per_page: pageRows },
			signal,
		);
		return { rows: data, total: meta.total };
	});
	const others = portfolios.rows.filter(({ developer_id }) => developer_id !== own);
	const ids = new Set(others.map(({ developer_id }) => developer_id));
	return {
		ratings: ratings.rows.filter(({ developer_id }) => ids.has(developer_id)),
		portfolios: others,
		isPart: ratings.rows.length < ratings.total || portfolios.rows.length < portfolios.total,
	};
}
