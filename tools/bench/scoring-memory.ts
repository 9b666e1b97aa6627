/** The most that one process can score: the facts are in memory, nothing is read or stored. Compared with copying the same requests as JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	constructionStages,
	developerTiers,
	iaStatuses,
	ratedDistressLevels,
	regions,
	studyPhases,
	technologies,
} from "#libs/contract/vocabulary.ts";
import { root } from "../../deploy/local/data-dir.ts";
import { type AssessedRequest, assess, type Basis, type Request } from "../../services/scoring/domain/assess.ts";
import type { ProjectFacts } from "../../services/scoring/domain/facts.ts";
import type { References } from "../../services/scoring/domain/places.ts";
import { random as randomBy } from "../../test/support/file-formats.ts";
import { interleave, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const aimMs = 1_000;

export async function measureMemory({ size }: Bench, say: (line: string) => void): Promise<Row[]> {
	const counties = readCounties();
	const basis: Basis = { today: "2026-11-20", references: referencesOf(counties), notice_2025_42: "vacated" };
	const requests = madeRequests(size.requests, counties);
	let assessed: AssessedRequest[] = [];
	const measured = await interleave(
		size.turns(7),
		() => timed(async () => (assessed = requests.map((request) => assess(request, basis)))),
		() => timed(async () => requests.map((request) => JSON.parse(JSON.stringify(request)))),
	);
	say("scored in memory: done");
	const measure = `score ${size.requests.toLocaleString("en")} requests from facts in memory`;
	return [
		{ measure: `${measure}, against a copy as JSON`, unit: "ms", ...measured, note: variety(assessed) },
		{
			measure,
			unit: "ms",
			ours: measured.ours,
			baseline: measured.ours.map(() => aimMs),
			aim: { atMost: 1 },
			note: "the baseline is the aim; one thread",
		},
	];
}

/** A score that is everywhere the same would have been cheap: says of how many kinds they were. */
function variety(assessed: readonly AssessedRequest[]): string {
	const inputs = new Set(assessed.map(({ hash }) => hash)).size;
	const texts = new Set(assessed.map(({ score }) => score.explanation)).size;
	const credits = new Set(assessed.map(({ credit }) => JSON.stringify(credit))).size;
	return `of ${inputs} different inputs, ${texts} explanations and ${credits} credits`;
}

interface County {
	fips: string;
	state: string;
	name: string;
}

/** Every county there is. */
function readCounties(): County[] {
	const [, ...lines] = readFileSync(join(root, "libs/counties/counties.psv"), "utf8").trimEnd().split("\n");
	return lines.map((line) => {
		const [fips = "", state = "", name = ""] = line.split("|");
		return { fips, state, name };
	});
}

/** Lists of the size of the published ones: a third of the counties, two coal tracts in every fifth, low-income tracts in most. */
function referencesOf(counties: readonly County[]): References {
	const coal = counties.filter((_, at) => at % 5 === 0);
	return {
		energyCommunities: {
			notice: "2026-39",
			validFrom: "2026-06-01",
			complete: false,
			counties: new Map(
				counties.map(({ fips }, at) => [fips, { statistical: at % 3 === 0, area: `Area ${at % 400}`, note: null }]),
			),
			coalNotice: "2026-39",
			coalComplete: true,
			coalTracts: new Set(coal.flatMap(({ fips }) => [`${fips}000100`, `${fips}000200`])),
			coalCounties: new Map(coal.map(({ fips }) => [fips, 2])),
		},
		lowIncome: {
			source: "NMTC 2016-2020",
			complete: false,
			tracts: new Map(),
			counties: new Map(counties.map(({ fips }, at) => [fips, { lowIncome: at % 4, all: 12 }])),
		},
	};
}

/** Operators' own words, of which some say more than the standard phase. */
const filedPhases = ["Phase 1", "Decision Point 2", "FS Pending", "SS Completed, FIS Completed, IA", null, null];

/** Open requests of every technology, operator, stage and age; the same ones in every run. */
function madeRequests(count: number, counties: readonly County[]): Request[] {
	const random = randomBy(1);
	const below = (limit: number) => Math.floor(random() * limit);
	const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
	const sometimes = <T>(value: T): T | null => (random() < 0.8 ? value : null);
	const day = (from: number, years: number) =>
		`${from + below(years)}-${String(1 + below(12)).padStart(2, "0")}-${String(1 + below(28)).padStart(2, "0")}`;
	const codChanges = () =>
		Array.from({ length: random() < 0.3 ? 1 + below(4) : 0 }, (_, at) => {
			const [old, next] = [day(2024, 4), day(2025, 6)];
			return { on: `202${3 + at}-0${1 + below(9)}-15`, old, new: next };
		});
	const facts = (number: number): ProjectFacts => {
		const [first, second] = [pick(counties), pick(counties)];
		const region = pick(regions);
		return {
			project_id: `${region}-${number}`,
			facts_as_of: null,
			name: `Heron ${number} Project`,
			region,
			kind: "generation",
			state: first.state,
			fips: sometimes(first.fips),
			counties: random() < 0.1 ? [first.name, second.name] : [first.name],
			developer_id: sometimes(below(1_500)),
			developer_tier: pick(developerTiers),
			type_std: pick(technologies),
			status_std: random() < 0.95 ? "Active" : "Suspended",
			capacity_mw: sometimes(1 + below(900)),
			queue_date: sometimes(day(2014, 12)),
			cod: sometimes(day(2024, 10)),
			ia_date: random() < 0.3 ? day(2020, 6) : null,
			security_posted: pick([true, false, null, null]),
			construction_stage: pick(constructionStages),
			...{ plant_state: "none", status_flag: null, request_class: "new", added_type_std: null, incremental_mw: null },
			...{ components: [], plant_state_basis: null },
			...{ plant_report: null, plant_reported_on: null, construction_begun_by: null },
			study_phase: sometimes(pick(studyPhases)),
			study_phase_filed: pick(filedPhases),
			ia_status: pick(iaStatuses),
			poi: sometimes(`Substation ${below(4_000)} 138 kV`),
			located: random() < 0.8,
			cod_changes: codChanges(),
		};
	};
	return Array.from({ length: count }, (_, number) => ({
		facts: facts(number),
		cost_usd_per_kw: random() < 0.2 ? below(600) : null,
		developer: sometimes({ distress: pick(ratedDistressLevels), operational: below(20), withdrawn: below(30) }),
		duplicate: random() < 0.02,
	}));
}
