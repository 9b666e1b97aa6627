/** How an image is to be run: its `deploy/container/stack.ts` prints this. */

export interface Container {
	/** By which others reach it. */
	name: string;
	command: string[];
	environment: Record<string, string>;
	/** Lines by path: a log may break a long one. */
	files?: Record<string, string[]>;
}

export interface Plan {
	/** Raised when this module could not follow an image's plan any more. */
	version: 1;
	engines: Record<EngineName, Container>;
	/** Runs to its end once PostgreSQL answers. */
	prepare: Container;
	/** Each runs to its end, one after the other, after that. */
	sample: Container[];
	services: Container[];
	/** Takes files in: its last arguments are theirs. Runs to its end. */
	ingest: Container;
	/** The user that reads the event streams from outside. */
	subscriber: { user: string; password: string };
}

export type EngineName = "postgres" | "nats" | "redis";
