/** Shared by the tiles of the map and the pages that show them. */

/** Deepest zoom of a tile: nothing is placed more exactly. */
export const deepestZoom = 12;
/** From this zoom on a tile shows each place and each request, before it clusters of them. */
export const placesZoom = 5;

export const tileMediaType = "application/vnd.mapbox-vector-tile";

export const groupings = [
	"status",
	"technology",
	"region",
	"state",
	"county",
	"poi",
	"construction_stage",
	"location_precision",
] as const;
