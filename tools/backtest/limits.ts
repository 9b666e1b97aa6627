/** Facts that the chances do not take into account, and limits of their test, as sentences. Pure. */
import type { Reply } from "../../libs/contract/index.ts";
import type { Region } from "../../libs/contract/vocabulary.ts";

type Published = Reply<"getScoreBacktest">;

/** A chance depends on operator, stage, technology, MW, projected date, day of the agreement, and the EIA's report of construction. */
export const cannotKnow: Published["cannot_know"] = [
	"**Money and buyers.** No operator's list states whether a request has financing, equity or a power purchase agreement.",
	"**Site and permits.** Land, zoning, environmental permits and local opposition are in no list. Two requests that differ only in these have the same chance.",
	"**Equipment and construction contracts.** Orders of transformers, turbines, batteries or modules are not published. Construction counts only once the operator or the EIA reports it.",
	"**The developer.** The chance does not depend on the company that files the request: what a developer had built and withdrawn before did not order past requests better. The tier of the developer is a part of the score, not of the chance.",
	"**Its own upgrade costs.** A high cost in its study lowers the score, not the chance.",
	"**What changes after the last list.** New tax law, tariffs, interest rates or rules of the queue are not in a model of past years.",
	"**The whole plant, and the filed date.** A chance is that a first part operates within 24 or 36 months, not that all MW do, nor that the projected date holds.",
	"**What no list says.** A request that disappears without a word counts as not built, unless the EIA says that it operates.",
];

export function limitsOf(operators: Published["operators"]): Published["limits"] {
	const outcomesOf = (region: Region) => operators.find((each) => each.region === region);
	const miso = outcomesOf("MISO");
	const byEia = operators.flatMap(({ region, by_eia }) =>
		region === "MISO" || by_eia === 0 ? [] : `${by_eia} in ${region}`,
	);
	return [
		"Only ERCOT has monthly lists over years. The other operators have their lists of 2024 and, of 2020, Berkeley Lab's copy (NYISO its own list); PJM's copy of 2020 hides nearly all agreements and is left out. Their level is their own, the shape over time mostly ERCOT's.",
		`MISO's list seldom says that a plant operates: of its ${miso?.requests} requests of July 2024 it says so of ${miso?.by_operator} by June 2026, the EIA of ${miso?.by_eia} more. The EIA counts about 84 new plants of 20 MW and more (14.6 GW) in MISO between the two lists. About 50 of them are of those requests; the others are of no open request of that day (replacements, connections to distribution, plants that MISO called in service), state no county, or had several requests like them: MISO's chances may be too low by a third, hardly by more, though its requests of July 2024 were stated at more than came (top tenth).`,
		`The EIA's lists of planned units tell what began: a unit that was being built and that the next list neither plans nor cancels. A request is linked to its plant as \`/plants\` links it, or, with an agreement, by county, technology and capacity within 10 %. Of 49 links since 2024 that were read one by one, one is uncertain (J1482, half of Twin Lakes). They add few outcomes elsewhere: ${byEia.join(", ")}.`,
		`Of NYISO's requests of December 2024, after which no list is at hand, the EIA alone says what became of them: ${outcomesOf("NYISO")?.by_eia} operates, and the EIA counts two other new plants of 20 MW and more.`,
		"PJM's area was higher by the milestone alone: no list of PJM before that day says that none of its requests operates before its agreement, as some do in MISO and SPP, so that early requests with a date due stood above agreements with a date two years ahead (Trade Post, Elkhart County), and five small ones in their facilities study operated (Jay, Pequest River, Wan, White Marsh, Saegers).",
		"SPP's was higher by the date alone: 12 requests still in its impact study, 10 of them gas plants of utilities (GEN-2020-025, GEN-2022-009), ran under interim agreements as they were dated, and three replacements and surplus requests that need no study (GEN-2023-GR3).",
		"The stated chances of the top tenth exceed what came, because rates changed: compared with the served model, ERCOT's requests came 1.4 to 2.2 times as often in the second half of 2021, and 0.6 to 0.8 times as often in the first half of 2022. A model fitted earlier could not know that; on ERCOT's last two days it is within 0.05 (day by day). MISO and NYISO seldom say that a plant operates.",
		"Tried, and left out: a weight that halves every 36 months of age (of ERCOT's top tenth 0.749 stated, 0.673 came), and a correction of level and slope by how earlier chances had held (0.824 stated, 0.628 came, because those before 2022 had been too low).",
		"Of ERCOT's requests with an agreement it is hard to say two years ahead which will be energized: the projected date tells most in the first year.",
		"Tried, and left out because it ordered no better or was further from what came on days it had not seen: number and length of the slips so far (of ERCOT's requests with an agreement, the area for energization within 24 months fell from 0.847 to 0.839), what the developer had built and withdrawn before (0.846 without it), age in the queue, a separate curve around the projected date for requests with an agreement, that the full study of a request of ERCOT with an agreement is done (no change), and that it meets what the stability assessment asks for (0.834 in place of 0.827).",
		"Batteries outside ERCOT and CAISO have a term of their own, because few of them with an agreement came to operate.",
	];
}
