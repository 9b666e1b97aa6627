/** Interconnection requests on a map. */
import { z } from "zod";
import { queueIngestOperation } from "../../operation.ts";
import { integer, refuse } from "../../params.ts";
import { asOfFacts, refusePastScores } from "../as-of.ts";
import { projectFilters, refuseContradictions } from "./project.ts";
import { deepestZoom, placesZoom, tileMediaType } from "./tiles.ts";

const tileNumber = (what: string) => integer(0, 2 ** deepestZoom - 1).describe(what);

export const getProjectTile = queueIngestOperation({
	summary: `Requests as a vector tile (Web Mercator, for 512 pixels). Below zoom ${placesZoom} layer \`clusters\`; then \`places\`, each as large as its location is known (\`precision\`, \`radius\` in pixels at zoom 0), and \`requests\`, those of a county in the largest circle within it.`,
	params: z
		.strictObject({
			z: integer(0, deepestZoom).describe("Zoom"),
			x: tileNumber("Column, from the west"),
			y: tileNumber("Row, from the north"),
			...projectFilters,
			...asOfFacts,
		})
		.superRefine(refuseContradictions)
		.superRefine(refusePastScores)
		.superRefine(({ z: zoom, x, y }, context) => {
			const last = 2 ** zoom - 1;
			for (const [name, value] of Object.entries({ x, y }))
				if (value > last) refuse(context, name, `must be at most ${last} at zoom ${zoom}`);
		}),
	reply: z.string(),
	http: { method: "GET", path: "/tiles/{z}/{x}/{y}.mvt", price: "free" },
	mediaType: tileMediaType,
	example: { z: 4, x: 3, y: 6, status: "Active" },
});
