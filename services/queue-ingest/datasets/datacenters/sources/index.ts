/** The lists of data centres: three of facilities, one of proposals. */
import type { Dataset } from "../../../sources/dataset.ts";
import { facilityEnergy } from "./facility-energy.ts";
import { facilityGuide } from "./facility-guide.ts";
import { facilityMap } from "./facility-map.ts";
import { proposals } from "./proposals.ts";

export const datacenterDatasets: readonly Dataset[] = [facilityMap, facilityEnergy, facilityGuide, proposals];
