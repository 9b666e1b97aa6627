/**
 * Federal tax credits as the law stood on the day of a list. Today's law would be knowledge from after: the acts of 2022 and 2025 changed which
 * projects went on. Rates before bonuses, as what an investment tax credit of the same worth would be. Pure.
 */
import type { CreditType } from "../../libs/contract/vocabulary.ts";
import type { ProjectFacts } from "../../services/scoring/domain/facts.ts";

export interface CreditThen {
	effectiveRate: number;
	conditional: boolean;
	type: CreditType | null;
}

interface Rate {
	type: CreditType;
	rate: number;
	/** Last year of operation at which a project that begins in time is sure of the rate. */
	until: number;
	after: number;
}

/**
 * 26 USC 48(a)(6), 45(b)(5) and 48(a)(5) as amended by Pub. L. 116-260, div. EE, 131-132 (2020-12-27): solar 26 % where begun before 2023 and in service
 * before 2026, else 10 %; wind 60 % of the production credit where begun before 2022 (in service within four years, Notice 2016-31);
 * offshore wind 30 % where begun before 2026. A battery only beside the sun that charges it.
 */
const law2020: Readonly<Record<string, Rate>> = {
	Solar: { type: "ITC", rate: 0.26, until: 2025, after: 0.1 },
	Wind: { type: "PTC", rate: 0.18, until: 2025, after: 0 },
	"Offshore Wind": { type: "ITC", rate: 0.3, until: 2035, after: 0 },
	Geothermal: { type: "ITC", rate: 0.1, until: 9999, after: 0.1 },
	"Fuel Cell": { type: "ITC", rate: 0.26, until: 2023, after: 0 },
};

/** 26 USC 48, 48E, 45Y under Pub. L. 117-169 (2022), wages as required: no end date in sight for what emits nothing. */
const inFull = (type: CreditType): Rate => ({ type, rate: 0.3, until: 9999, after: 0.3 });
const law2024: Readonly<Record<string, Rate>> = {
	Solar: inFull("ITC"),
	Storage: inFull("ITC"),
	"Other Storage": inFull("ITC"),
	"Pumped Storage": inFull("ITC"),
	Wind: inFull("PTC"),
	"Offshore Wind": inFull("ITC"),
	Nuclear: inFull("ITC"),
	Hydro: inFull("ITC"),
	Geothermal: inFull("ITC"),
	"Fuel Cell": inFull("ITC"),
};

const none: CreditThen = { effectiveRate: 0, conditional: false, type: null };

/** `today`: in or after 2020. Of a hybrid its best part counts, except the battery beside a plant that earns nothing. */
export function creditThen({ type_std, cod }: ProjectFacts, today: string): CreditThen {
	const law = today < "2022-08-16" ? law2020 : law2024;
	const year = Math.max(Number(today.slice(0, 4)), Number(cod?.slice(0, 4) ?? 0));
	const [best = none] = type_std
		.split(" + ")
		.map((part) => law[part])
		.filter((rate) => rate !== undefined)
		.map(({ type, rate, until, after }) => ({ effectiveRate: year <= until ? rate : after, conditional: false, type }))
		.sort((a, b) => b.effectiveRate - a.effectiveRate);
	return best.effectiveRate === 0 ? none : best;
}
