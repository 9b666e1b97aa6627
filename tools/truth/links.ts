/**
 * Who is behind requests of late stage. links-by-hand.csv has links that a person judged by the facts of both sides, drawn at random by operator
 * and method, and the largest requests without a company; a judgement holds as long as the same plant is linked, or none.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { regions } from "../../libs/contract/vocabulary.ts";
import type { Project } from "./answers.ts";

interface Judgement {
	request: string;
	/** EIA plant code; empty for a request without a link. */
	plant: string;
	/** A request without a link is right if no source at hand says whose it is. */
	verdict: "right" | "wrong" | "unknown";
	why: string;
}

export const linkJudgements: readonly Judgement[] = parse(
	readFileSync(join(import.meta.dirname, "links-by-hand.csv")),
	{ columns: true },
);

export interface Links {
	byOperator: {
		region: string;
		requests: number;
		mw: number;
		/** The most that could have a developer; null where only the interface is read. */
		ceilingMw: number | null;
		developerMw: number;
		/** With a developer, or the company that the operator's list names. */
		companyMw: number;
		read: Record<Judgement["verdict"] | "changed", number>;
	}[];
	wrong: Judgement[];
	/** The largest without a developer or a filed company. */
	missed: { id: string; mw: number; called: string; why: string }[];
}

const maxMissed = 10;

export const isOpen = ({ status_std: status }: Project): boolean => status === "Active" || status === "Suspended";
export const isLate = ({ construction_stage: stage }: Pick<Project, "construction_stage">): boolean =>
	stage === "late" || stage === "construction";

/** `linked`: the plants of the judged requests now. */
export function linksOf(
	projects: readonly Project[],
	linked: ReadonlyMap<string, number | null>,
	ceilings: ReadonlyMap<string, number> | null,
	judged = linkJudgements,
): Links {
	const late = projects.filter((project) => project.listed === "listed" && isOpen(project) && isLate(project));
	const holds = ({ request, plant }: Judgement) => String(linked.get(request) ?? "") === plant;
	const read = judged.filter(({ plant }) => plant !== "");
	const whys = new Map(judged.filter(({ plant }) => plant === "").map(({ request, why }) => [request, why]));
	const byId = new Map(projects.map((project) => [project.id, project]));
	const isNamed = ({ developer_canonical: developer }: Project) => developer !== null;
	const isFiled = (project: Project) => isNamed(project) || project.developer !== null;
	const megawatts = (rows: readonly Project[]) => rows.reduce((sum, { capacity_mw: mw }) => sum + (mw ?? 0), 0);
	return {
		byOperator: regions.map((region) => {
			const own = late.filter((project) => project.region === region);
			const links = read.filter(({ request }) => byId.get(request)?.region === region);
			const count = (wanted: Judgement["verdict"]) =>
				links.filter((link) => link.verdict === wanted && holds(link)).length;
			return {
				...{ region, requests: own.length, mw: megawatts(own), ceilingMw: ceilings?.get(region) ?? null },
				...{ developerMw: megawatts(own.filter(isNamed)), companyMw: megawatts(own.filter(isFiled)) },
				read: {
					...{ right: count("right"), wrong: count("wrong"), unknown: count("unknown") },
					changed: links.filter((link) => !holds(link)).length,
				},
			};
		}),
		wrong: read.filter((link) => link.verdict === "wrong" && holds(link)),
		missed: late
			.filter((project) => !isFiled(project))
			.sort((a, b) => (b.capacity_mw ?? 0) - (a.capacity_mw ?? 0))
			.slice(0, maxMissed)
			.map(({ id, capacity_mw: mw, name, poi }) => ({
				...{ id, mw: mw ?? 0, called: name ?? poi ?? "", why: whys.get(id) ?? "not read yet" },
			})),
	};
}
