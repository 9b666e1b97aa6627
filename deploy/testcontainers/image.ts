/** Which image of the product is run. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GenericContainer } from "testcontainers";

const root = fileURLToPath(new URL("../../", import.meta.url));
const built = "energy-infrastructure-data-service:testcontainers";
let building: Promise<string> | undefined;

/** The given one, else ENERGY_IMAGE, else one that is built from the Dockerfile, once a process. */
export function chooseImage(given: string | undefined): Promise<string> {
	const named = given || process.env.ENERGY_IMAGE;
	if (named) return Promise.resolve(named);
	building ??= build();
	return building;
}

async function build(): Promise<string> {
	// A published copy of this module has no repository around it.
	if (!existsSync(`${root}Dockerfile`) || !existsSync(`${root}services`))
		throw new Error("Which image? Name it by the option `image` or by ENERGY_IMAGE.");
	const { BASE_IMAGE } = process.env;
	// Kept: the next run takes from it what has not changed.
	await GenericContainer.fromDockerfile(root)
		.withBuildArgs(BASE_IMAGE ? { BASE_IMAGE } : {})
		.build(built, { deleteOnExit: false });
	return built;
}
