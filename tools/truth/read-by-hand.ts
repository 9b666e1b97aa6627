/**
 * Requests of each operator that a person chose because a conclusion about them is most likely false, and read against the operator's file and the
 * EIA's (read-by-hand.csv), and the first fifty of the lists that lenders read first (deals-by-hand.csv, developers-by-hand.csv), with what was
 * said of each then. A judgement holds as long as the same is said.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Deal, Investable, Project, Rated, Readings } from "./answers.ts";

export interface HandRead {
	id: string;
	plant: string;
	says: string;
	filed: string;
	/** `read again`: something else is said now. */
	verdict: "right" | "wrong" | "unknown" | "read again";
	why: string;
}

interface Judgement extends Pick<HandRead, "filed" | "why"> {
	request: string;
	said: string;
	verdict: "right" | "wrong" | "unknown";
}

const read = <T>(file: string): T[] => parse(readFileSync(join(import.meta.dirname, file)), { columns: true });

export const judgements = read<Judgement>("read-by-hand.csv");
const judgedDevelopers = read<Omit<Judgement, "filed" | "request"> & { developer: string }>("developers-by-hand.csv");

export function readByHand(projects: readonly Project[], judged: readonly Judgement[] = judgements): HandRead[] {
	const byId = new Map(projects.map((project) => [project.id, project]));
	return judged.map(({ request, said, filed, verdict, why }) => {
		const project = byId.get(request);
		const says = project === undefined ? "not there" : summaryOf(project);
		return judge({ id: request, plant: project?.name ?? project?.poi ?? "", says, filed }, said, verdict, why);
	});
}

const judgedDeals = read<Omit<Judgement, "filed"> & { list: "investable" | "deals" }>("deals-by-hand.csv");

/** Judges again the first fifty requests of `/investable` or `/deals/itc`. */
export function readTop(list: "investable" | "deals", answers: Pick<Readings, "investable" | "deals">): HandRead[] {
	const judged = new Map(judgedDeals.flatMap((row) => (row.list === list ? [[row.request, row]] : [])));
	return answers[list].slice(0, 50).map((row) => {
		const read = { id: row.id, plant: row.name ?? "", says: dealOf(row), filed: "" };
		const known = judged.get(row.id);
		if (known === undefined) return { ...read, verdict: "read again", why: "new among the fifty" };
		return judge(read, known.said, known.verdict, known.why);
	});
}

/** The chance in tenths: it moves a little with each list. */
function dealOf(row: Investable | Deal): string {
	const { type_std, capacity_mw, cod, tax_credit_status, p_cod_36 } = row;
	const chance = p_cod_36 === null ? "unknown" : p_cod_36.toFixed(1);
	return `${type_std}, ${capacity_mw ?? "unknown"} MW, ${cod ?? "no date"}, credit ${tax_credit_status}, chance ${chance}`;
}

/** Judges again the first fifty developers of `/capital/leaderboard`. */
export function readDevelopers(rated: readonly Rated[]): HandRead[] {
	const byName = new Map(rated.map((row) => [row.developer, row]));
	return judgedDevelopers.map(({ developer, said, verdict, why }) => {
		const row = byName.get(developer);
		const { tier, distress_signal: signal, capital_raised: raised } = row ?? {};
		const says = row === undefined ? "not there" : `${tier}, distress ${signal?.level}, capital ${raised ?? "unknown"}`;
		return judge({ id: developer, plant: "", says, filed: "" }, said, verdict, why);
	});
}

const judge = (
	row: Omit<HandRead, "verdict" | "why">,
	said: string,
	verdict: Judgement["verdict"],
	why: string,
): HandRead =>
	row.says === said
		? { ...row, verdict, why }
		: { ...row, verdict: "read again", why: `${verdict} when it was: ${said}` };

/** The conclusions of a request, in at most twenty words. */
export function summaryOf(project: Project): string {
	const { status_std, plant_state, plant_state_basis, request_class, capacity_mw, incremental_mw, operating_mw } =
		project;
	const { cod, status_flag, investable } = project;
	const by = plant_state_basis === null || plant_state_basis === "operator" ? "" : ` by ${plant_state_basis}`;
	return [
		...[status_std, `plant ${plant_state}${by}`, request_class, `${capacity_mw ?? "unknown"} MW`],
		...(incremental_mw === capacity_mw ? [] : [`adds ${incremental_mw ?? "unknown"}`]),
		...(operating_mw === null ? [] : [`${operating_mw} in service`]),
		cod ?? "no date",
		...(status_flag === null ? [] : [status_flag]),
		...(investable === true ? ["investable"] : []),
	].join(", ");
}
