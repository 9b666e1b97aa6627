/** Finds requests of one plant at a point of interconnection, by the names that their operator lists. Pure. */
import type { RelationKind, relationMethods } from "#libs/contract/vocabulary.ts";

export interface Member {
	id: string;
	name: string | null;
	poi: string | null;
	type_std: string;
	status_std: string;
	queue_date: string | null;
	withdrawn_date: string | null;
}

export interface Relation {
	id: string;
	relation: RelationKind;
	other_id: string;
	method: (typeof relationMethods)[number];
	/** Share of the pairs read by hand that were right (tools/truth/related-by-hand.csv). */
	confidence: number;
}

/** Words that do not identify a plant: many names have them, or they tell parts and phases of a plant apart. */
const commonWords = new Set(
	`solar storage wind battery batteries bess energy power project projects farm park center centre plant station hybrid pv photovoltaic phase unit ess es
	repower expansion addition uprate increase increment incremental additional generation generating generator generators facility llc lp inc co company slf swt bes sts
	and the of for new north south east west northern southern eastern western county ct gt cc combined cycle turbine turbines gas peaker cogen nuclear hydro plus offshore see qp
	biomass geothermal coal oil diesel landfill fuel cell`.split(/\s+/),
);
const isNumber = (word: string): boolean => /^(?:\d+[a-z]?|[ivx]+|[a-h]|one|two|three|four|five)$/.test(word);
/** A request to enlarge a plant replaces no other. */
const enlarges = /\b(?:uprate|expansion|increase|increment\w*|addition\w*)\b/i;
/** A re-filed request enters the queue at most this long before its predecessor leaves it (days). */
const overlapDays = 366;

/**
 * Pairs each later request of a plant with an earlier one: the withdrawn request of the same name and technology that it replaces, else the
 * plant's first. A name that the point has too does not identify a plant.
 */
export function relationsOf(members: readonly Member[]): Relation[] {
	const plants = new Map<string, (Member & { whole: string })[]>();
	for (const member of members.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)))) {
		const words = wordsOf(member.name).filter((word) => !commonWords.has(word));
		const plant = words.filter((word) => !isNumber(word)).join(" ");
		if (plant.length < 4 || ` ${wordsOf(member.poi).join(" ")} `.includes(` ${plant} `)) continue;
		const known = plants.get(plant) ?? [];
		plants.set(plant, [...known, { ...member, whole: words.join(" ") }]);
	}
	return [...plants.values()].flatMap((plant) =>
		plant.slice(1).map((member, at) => {
			const before = plant.slice(0, at + 1).findLast((earlier) => isRefiled(earlier, member));
			const other = before ?? plant[0] ?? member;
			const hasSameName = other.whole === member.whole;
			return {
				...{ id: member.id, relation: before ? ("successor_of" as const) : ("sibling" as const), other_id: other.id },
				...(hasSameName
					? ({ method: "name", confidence: 0.98 } as const)
					: ({ method: "name_without_number", confidence: 0.95 } as const)),
			};
		}),
	);
}

const orderOf = ({ queue_date, id }: Member): string => `${queue_date ?? "9999"} ${id}`;
const wordsOf = (text: string | null): string[] =>
	(text ?? "")
		.toLowerCase()
		.replace(/['’]/g, "")
		.match(/[a-z]+|\d+[a-z]?/g) ?? [];

function isRefiled(earlier: Member & { whole: string }, later: Member & { whole: string }): boolean {
	if (earlier.status_std !== "Withdrawn" || earlier.whole !== later.whole || earlier.type_std !== later.type_std)
		return false;
	if (enlarges.test(later.name ?? "")) return false;
	const [left, entered] = [earlier.withdrawn_date, later.queue_date];
	return left !== null && entered !== null && Date.parse(entered) > Date.parse(left) - overlapDays * 86_400_000;
}
