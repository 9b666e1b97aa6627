/** Outcomes of past requests by the EIA: each is linked to a plant as the product links it, by what its list said. Pure. */

import type { Region } from "../../libs/contract/vocabulary.ts";
import { spelled } from "../../libs/names/tidy-name.ts";
import { indexByState, stationWords } from "../../services/queue-ingest/plants/jobs/link-plants.ts";
import { companyKey, factsOf, type LinkPlant, type LinkProject } from "../../services/queue-ingest/plants/link-pair.ts";
import {
	alikeOff,
	isInCounty,
	type Link,
	linkPlant,
	withoutRivals,
} from "../../services/queue-ingest/plants/link-plant.ts";
import { familiesOf } from "../../services/queue-ingest/plants/plant-families.ts";
import { namesOf } from "../../services/queue-ingest/plants/plant-names.ts";
import { type EiaPlant, plannedOn, unitsAfter } from "./eia-plants.ts";
import type { Listed } from "./lists.ts";

export interface EiaOutcome {
	/** First day of the month in which the first part began to operate; null where it did not. */
	began: string | null;
	/** A monthly list had the plant, linked by its name, under construction by the day. */
	isReported: boolean;
	plantId: number;
	kind: Link["kind"] | "alike";
	isNamed: boolean;
}

/**
 * By key, of the open requests of a list of `day` that were not withdrawn. `came`: operates by its operator. Of several that can each be a
 * plant's, one that came has it, else the first.
 */
export function eiaOutcomes(
	requests: readonly (Listed & { came: boolean })[],
	region: Region,
	plants: readonly EiaPlant[],
	day: string,
): Map<string, EiaOutcome> {
	const coming = plannedOn(plants, day);
	const candidates = indexByState(coming);
	const projects = requests.flatMap((request) => projectOf(request, region) ?? []);
	const pairs = projects.map((project) => ({
		project,
		near: candidates.get(project.state)?.candidates(project) ?? [],
	}));
	const links = withoutRivals(
		pairs.flatMap(({ project, near }) => linkPlant(project, near) ?? []),
		projects,
		new Map(coming.map((plant) => [plant.plantId, plant])),
	);
	const byKey = new Map(requests.map((request) => [request.key, request]));
	const byPlant = new Map(plants.map((plant) => [plant.described.plantId, plant]));
	const isLinked = new Set(links.map(({ projectId }) => projectId));
	const had = new Set(links.map(({ plantId }) => plantId));
	const alike = pairs
		.filter(({ project }) => project.isLate && !isLinked.has(project.id))
		.flatMap(({ project, near }) => near.flatMap((plant) => alikeOf(project, plant) ?? []))
		.filter(({ plantId }) => !had.has(plantId))
		.sort((a, b) => Number(byKey.get(b.projectId)?.came) - Number(byKey.get(a.projectId)?.came) || a.off - b.off);
	const found = new Map<string, EiaOutcome>();
	const taken = new Set<number>();
	for (const { projectId, plantId, kind, method } of [...links, ...alike]) {
		const plant = byPlant.get(plantId);
		if (plant === undefined || found.has(projectId) || (kind !== "direct" && taken.has(plantId))) continue;
		const { began, isReported } = unitsAfter(plant, byKey.get(projectId)?.typeStd ?? "", day);
		if (began === null && !isReported) continue;
		taken.add(plantId);
		found.set(projectId, {
			...{ began, plantId, kind, isReported: isReported && kind === "direct" && method === "name" },
			isNamed: method === "name" || method === "name_close",
		});
	}
	return found;
}

/** With an agreement, and of the plant's county, technology and capacity: whichever of such requests it was, one operates. */
function alikeOf(project: LinkProject, plant: LinkPlant) {
	const facts = factsOf(project, plant);
	if (facts === null || facts.isTooLarge || !isInCounty(facts) || facts.name === "different") return null;
	const off = Math.min(...[facts.nearest, facts.nearestSummer].flatMap((near) => near?.off ?? []));
	if (off > alikeOff) return null;
	return { projectId: project.id, plantId: plant.plantId, kind: "alike" as const, method: null, off };
}

function projectOf(request: Listed, region: Region): LinkProject | null {
	const {
		key,
		state,
		counties,
		name,
		poi,
		typeStd,
		capacityMw,
		constructionStage: stage,
		queueDate,
		cod,
		developer,
		utility,
	} = request;
	if (state === null || typeStd === "Unknown") return null;
	return {
		...{ id: key, region, state, counties, capacityMw, utility, shellNames: [], operationYear: null, place: null },
		names: spelled(name) === spelled(poi) ? [] : namesOf(name),
		families: familiesOf(typeStd),
		isBuilt: stage === "construction",
		isLate: stage === "late" || stage === "construction",
		queueYear: queueDate === null ? null : Number(queueDate.slice(0, 4)),
		plannedYear: cod === null ? null : Number(cod.slice(0, 4)),
		companies: [companyKey(developer)].filter((company) => company !== ""),
		poi: spelled(poi),
		poiWords: namesOf(poi).flatMap(({ words }) => words.filter((word) => word.length > 3 && !stationWords.has(word))),
	};
}
