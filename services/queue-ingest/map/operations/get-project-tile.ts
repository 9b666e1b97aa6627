import type { Handler } from "#libs/contract/index.ts";
import { checkMoment } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { KeptPlaces } from "../kept-places.ts";
import { tileOf } from "../tile.ts";

export function getProjectTile(resources: Resources): Handler<"getProjectTile"> {
	const kept = new KeptPlaces(resources);
	return async ({ z, x, y, as_of, at_seq, ...filters }) => {
		const moment = { as_of, at_seq };
		await checkMoment(resources, moment);
		const { places, dataVersion } = await kept.get(filters, moment);
		return { json: tileOf(places, { z, x, y }), dataVersion };
	};
}
