/** Chromium, which draws maps without a graphics card. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath =
	process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Without a Chromium these tests are left out. */
export const hasBrowser = executablePath !== undefined;

export const launch = (): Promise<Browser> =>
	chromium.launch({
		...(executablePath !== undefined && { executablePath }),
		args: [
			...["--no-sandbox", "--disable-background-networking"],
			// Only the map needs WebGL: without a graphics card, pages are composed faster without it.
			"--disable-gpu-compositing",
			...["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
		],
	});
