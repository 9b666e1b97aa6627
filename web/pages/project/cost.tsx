import type { Reply } from "#libs/contract/index.ts";
import { FactList } from "../../lib/fact-list.tsx";
import { count, filed, words } from "../../lib/format.ts";
import { perKw } from "../../lib/quantity.ts";

type Known = NonNullable<Reply<"getScore">["interconnection_cost"]>;

const neighbourhoods = {
	poi: "requests at the same point of interconnection",
	transmission_owner: "requests of the same transmission owner and technology",
	region: "requests of the same operator and technology",
};

/** What it costs to connect it, by its own study or by those of its neighbours. */
export function Cost({ cost: { neighbours, ...own } }: { cost: Known }) {
	const dollars = (usd: number | null) => (usd === null ? null : perKw(usd));
	const inYear = (year: number | null) => (year === null ? null : String(year));
	return (
		<section aria-labelledby="cost">
			<h2 id="cost">Interconnection cost</h2>
			{neighbours === null ? (
				<FactList
					facts={[
						["By its own study", dollars(own.ic_cost_usd_per_kw)],
						["At the point of interconnection", dollars(own.poi_usd_per_kw)],
						["Upgrades of the network", dollars(own.network_usd_per_kw)],
						["Study", own.study === null ? null : filed(own.study)],
						["Studied", own.studied_on],
						["In dollars of", inYear(own.dollars_year)],
						["Source", own.source === null ? null : filed(own.source)],
					]}
				/>
			) : (
				<>
					<p>
						No study of its own is known. These are {count(neighbours.n)} {neighbourhoods[neighbours.chosen_by]}
						{neighbours.place !== null && ` (${filed(neighbours.place, 80)})`}, whatever became of them.
					</p>
					<FactList
						facts={[
							["Half of them cost less than", perKw(neighbours.median_usd_per_kw)],
							["A quarter less than", perKw(neighbours.p25_usd_per_kw)],
							["A quarter more than", perKw(neighbours.p75_usd_per_kw)],
							["Technology", neighbours.type_std === null ? null : words(neighbours.type_std)],
							[
								"Studied",
								neighbours.studied_from === null ? null : `${neighbours.studied_from} to ${neighbours.studied_to}`,
							],
							["In dollars of", inYear(neighbours.dollars_year)],
						]}
					/>
				</>
			)}
		</section>
	);
}
