/** The images that tests with containers run, or why they cannot run. */
import { buildImage, builtImage, imageOf, noContainers } from "../deploy/support/docker.ts";

const { ENERGY_IMAGE } = process.env;

/** Undefined where a Docker engine answers and every image is there or can be pulled. Warns if not. */
export const away = noContainers([
	...(ENERGY_IMAGE ? [] : (["BASE_IMAGE"] as const)),
	...(["POSTGRES_IMAGE", "NATS_IMAGE", "REDIS_IMAGE"] as const),
]);
if (away !== undefined) console.warn(`EnergyDataStack is not started: ${away}.`);

/** A suffix for titles. */
export const here = away === undefined ? "" : ` (skipped: ${away})`;

/** Images for an `EnergyDataStack`: the product of this work tree, unless another image is named. */
export async function images() {
	return {
		image: ENERGY_IMAGE || (await buildImage().then(() => builtImage)),
		images: { postgres: imageOf("POSTGRES_IMAGE"), nats: imageOf("NATS_IMAGE"), redis: imageOf("REDIS_IMAGE") },
	};
}
