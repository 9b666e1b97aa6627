/** A random history of changed facts, one after the other. Deterministic by its generator of numbers. */
import type { CodChange } from "../../../services/scoring/domain/facts.ts";
import { type Delivery, developer, filing, news, project, raise, transfer } from "./deliver.ts";
import {
	developerEvent,
	filingEvent,
	named,
	newsEvent,
	type ProjectChanged,
	pick,
	projectEvent,
	raiseEvent,
	shuffled,
	transferEvent,
} from "./history.ts";

/** The number of each; ids begin at 1. */
export interface Sizes {
	projects: number;
	developers: number;
	articles: number;
	raises: number;
	filings: number;
	transfers: number;
}

type Change = (random: () => number) => Partial<ProjectChanged["project"]>;

const changedStatus: Change = (random) => ({
	status_std: pick(random, ["Active", "Active", "Withdrawn", "Operational", "Suspended"] as const),
});
/** One change at a time, so that no other change queues what this one should have queued. */
const projectChanges: readonly [Change, ...Change[]] = [
	changedStatus,
	changedStatus,
	changedStatus,
	(random) => ({ construction_stage: pick(random, ["early", "mid", "late", "construction"] as const) }),
	(random) => ({ type_std: pick(random, ["Solar", "Wind", "Storage", "Gas"] as const) }),
	(random) => ({ capacity_mw: pick(random, [null, 0, 20, 100, 100, 400] as const) }),
	(random) => ({ name: pick(random, ["Twin", "Twin", "Bell Solar", null] as const) }),
	(random) => ({ queue_date: pick(random, ["2019-03-01", "2023-03-01", "2026-01-15", null] as const) }),
	(random) => ({ kind: pick(random, ["generation", "generation", "transmission"] as const) }),
	(random) => ({ poi: pick(random, ["Bell 138 kV", "Bell 138 kV", null] as const) }),
	() => ({}),
];

export class History {
	readonly #random: () => number;
	readonly #sizes: Sizes;
	readonly #versions = new Map<string, number>();
	readonly #projects = new Map<number, Partial<ProjectChanged["project"]>>();
	readonly #moves = new Map<number, CodChange[]>();

	constructor(random: () => number, sizes: Sizes) {
		this.#random = random;
		this.#sizes = sizes;
	}

	/** The first version of every request and developer: twins among them, and developers that have finished more than five. */
	beginning(): Delivery[] {
		const ids = (most: number) => Array.from({ length: most }, (_, at) => at + 1);
		return [
			...ids(this.#sizes.developers).map((id) => this.#developer(id)),
			...ids(this.#sizes.projects).map((id) => {
				const status_std = pick(this.#random, ["Active", "Active", "Withdrawn", "Operational"] as const);
				const developer_id = pick(this.#random, [1, 1, 2, null] as const);
				const name = pick(this.#random, ["Twin", "Bell Solar"] as const);
				const construction_stage = pick(this.#random, ["early", "mid", "late"] as const);
				this.#projects.set(id, { status_std, developer_id, name, construction_stage });
				return this.#project(id, {});
			}),
		];
	}

	/** The next version of something. */
	next(): Delivery {
		const { projects, developers, articles, raises, filings, transfers } = this.#sizes;
		const id = (most: number) => 1 + Math.floor(this.#random() * most);
		const kinds = [
			() => this.#changedProject(id(projects)),
			() => this.#changedProject(id(projects)),
			() => this.#changedProject(id(projects)),
			() => this.#developer(id(developers)),
			() => this.#article(id(articles)),
			() => this.#article(id(articles)),
			() => this.#raise(id(raises)),
			() => this.#filing(id(filings)),
			() => this.#transfer(id(transfers)),
		] as const;
		return pick(this.#random, kinds)();
	}

	#version(key: string): number {
		const version = (this.#versions.get(key) ?? 0) + 1;
		this.#versions.set(key, version);
		return version;
	}

	#anyDeveloper(): number | null {
		return this.#random() < 0.2 ? null : 1 + Math.floor(this.#random() * this.#sizes.developers);
	}

	#changedProject(id: number): Delivery {
		const chance = this.#random();
		if (chance < 0.2) return this.#project(id, { developer_id: this.#anyDeveloper() });
		if (chance < 0.35) return this.#project(id, { cod: this.#move(id) });
		return this.#project(id, pick(this.#random, projectChanges)(this.#random));
	}

	#move(id: number): string {
		const moves = this.#moves.get(id) ?? [];
		const old = this.#projects.get(id)?.cod ?? "2027-12-31";
		const later = pick(this.#random, ["2026-03-31", "2027-12-31", "2028-06-30", "2030-06-30"] as const);
		const on = pick(this.#random, ["2024-02-01", "2025-06-01", "2026-06-01"] as const);
		this.#moves.set(
			id,
			[...moves, { on, old, new: later }].sort((a, b) => (a.on < b.on ? -1 : 1)),
		);
		return later;
	}

	#project(id: number, change: Partial<ProjectChanged["project"]>): Delivery {
		const facts = { ...this.#projects.get(id), ...change };
		this.#projects.set(id, facts);
		const developer_id = facts.developer_id ?? null;
		const event = projectEvent(`ERCOT-${id}`, this.#version(`project ${id}`), {
			...facts,
			developer_canonical: developer_id === null ? null : `Developer ${developer_id}`,
			developer_tier: developer_id === null ? "unknown" : "independent",
		});
		return project({ ...event, cod_changes: this.#moves.get(id) ?? [] });
	}

	#developer(id: number): Delivery {
		return developer(
			developerEvent(id, this.#version(`developer ${id}`), {
				canonical_name: pick(this.#random, [`Developer ${id}`, `Developer ${id}`, `Formerly ${id}`]),
				// The second has capital of its own.
				tier: pick(this.#random, ["independent", "major_utility"] as const),
				aliases: this.#random() < 0.7 ? [{ alias: `Dev ${id}`, ambiguous: false }] : [],
			}),
		);
	}

	/** An outlet of its own says so of one developer, mostly by a name that is known to be its, and in passing of another. */
	#article(id: number): Delivery {
		const everybody = Array.from({ length: this.#sizes.developers }, (_, at) => at + 1);
		// Two outlets have to report the same developer's bankruptcy: mostly it is the first one's.
		const about = this.#random() < 0.6 ? 1 : (this.#anyDeveloper() ?? 1);
		const others = shuffled(
			this.#random,
			everybody.filter((id) => id !== about),
		);
		const [event_type, title] = pick(this.#random, [
			["distress", `Dev ${about} files for Chapter 11 bankruptcy`],
			["distress", `Dev ${about} files for Chapter 11 bankruptcy`],
			["distress", `Dev ${about} files for Chapter 11 bankruptcy`],
			["litigation", `Dev ${about} sued by contractor`],
			["mention", `Dev ${about} seeks buyers for its projects`],
			["financing", `Dev ${about} closes financing`],
		] as const);
		const isNamed = this.#random() < 0.7;
		const days = [
			"2026-10-01T00:00:00Z",
			"2026-10-01T00:00:00Z",
			"2025-01-05T00:00:00Z",
			"2023-01-05T00:00:00Z",
		] as const;
		return news(
			newsEvent(id, this.#version(`article ${id}`), {
				domain: `outlet-${id}.example`,
				published_at: pick(this.#random, days),
				title,
				event_type,
				seeks_capital: title.includes("seeks buyers"),
				// Below 0.7 nothing is counted.
				developers: [about, ...others.slice(0, Math.floor(this.#random() * 2))].map((each) =>
					named(
						each,
						pick(this.#random, [0.5, 0.69, 0.75, 0.9, 0.9, 0.9, 0.9] as const),
						event_type === "distress" && each === about && isNamed,
					),
				),
			}),
		);
	}

	#raise(id: number): Delivery {
		return raise(
			raiseEvent(`raise-${id}`, this.#version(`raise ${id}`), {
				developer_id: this.#anyDeveloper(),
				is_latest: this.#random() < 0.7,
				total_amount_sold: pick(this.#random, [null, 60_000_000, 400_000_000] as const),
			}),
		);
	}

	#filing(id: number): Delivery {
		return filing(
			filingEvent(`filing-${id}`, this.#version(`filing ${id}`), {
				developer_id: this.#anyDeveloper(),
				item_codes: pick(this.#random, [["1.03"], ["2.03"], ["2.03"], ["2.06"], []]),
				event_type: pick(this.#random, ["financing", "distress"] as const),
				first_told: this.#random() < 0.7,
			}),
		);
	}

	/** Either side may be another's in the next version, or be called by a name that its developer has only sometimes. */
	#transfer(id: number): Delivery {
		const side = () => {
			const which = this.#anyDeveloper();
			return which === null ? null : pick(this.#random, [`Developer ${which}`, `Formerly ${which}`]);
		};
		return transfer(
			transferEvent(id, this.#version(`transfer ${id}`), {
				seller_canonical: side(),
				buyer_canonical: side(),
				retracted: this.#random() < 0.2,
				confidence: pick(this.#random, ["high", "low"] as const),
			}),
		);
	}
}
