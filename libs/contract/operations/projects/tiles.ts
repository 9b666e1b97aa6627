/** Constants that the map tiles and the pages for browsers share. */

/** Highest zoom of a tile; no location is more precise. */
export const deepestZoom = 12;
/** From this zoom on, tiles show places and requests; below it, clusters. */
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
	"queue_year",
	"cod_year",
] as const;
