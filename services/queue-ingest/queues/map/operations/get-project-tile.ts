import type { Handler } from "#libs/contract/index.ts";
import { checkDay } from "../../../history/past.ts";
import type { Resources } from "../../../resources.ts";
import { KeptPlaces } from "../kept-places.ts";
import { tileOf } from "../tile.ts";

export function getProjectTile(resources: Resources): Handler<"getProjectTile"> {
	const kept = new KeptPlaces(resources);
	return async ({ z, x, y, as_of, ...filters }) => {
		const asOf = { as_of };
		checkDay(resources, asOf);
		const { places, dataVersion } = await kept.get(filters, asOf);
		return { json: tileOf(places, { z, x, y }), dataVersion };
	};
}
