/** Places for statements that run at the same time: a few, the rest in order; nobody waits long, nor has more than his share. */
import { type AppError, tooManyRequests, unavailable } from "#libs/contract/errors.ts";

export interface TurnLimits {
	/** Statements of this process at once: the machine has other things to do. */
	atOnce: number;
	ofSubject: number;
	waiting: number;
	/** How long one waits for a place (ms): who asked has gone soon after. */
	waitMs: number;
}

export interface Turns {
	/**
	 * A place, given back when it is disposed of.
	 * @throws AppError 429 with too many of the subject's own, 503 where it takes too long.
	 */
	take(subject: string): Promise<AsyncDisposable>;
	/** Places that are taken, and who waits for one. */
	readonly load: { running: number; waiting: number };
}

export function openTurns(limits: TurnLimits): Turns {
	const waiting: (() => void)[] = [];
	const ofSubject = new Map<string, number>();
	let running = 0;

	const wait = () =>
		new Promise<void>((resolve, reject) => {
			const enter = () => {
				clearTimeout(timer);
				resolve();
			};
			const timer = setTimeout(() => {
				waiting.splice(waiting.indexOf(enter), 1);
				reject(busy());
			}, limits.waitMs);
			waiting.push(enter);
		});
	const forget = (subject: string) => {
		const own = (ofSubject.get(subject) ?? 1) - 1;
		if (own > 0) ofSubject.set(subject, own);
		else ofSubject.delete(subject);
	};
	const leave = (subject: string) => {
		forget(subject);
		const next = waiting.shift();
		// Who comes next takes over the place.
		if (next === undefined) running--;
		else next();
	};

	return {
		get load() {
			return { running, waiting: waiting.length };
		},
		async take(subject) {
			const own = ofSubject.get(subject) ?? 0;
			if (own >= limits.ofSubject) throw tooManyAtOnce(limits.ofSubject);
			if (running >= limits.atOnce && waiting.length >= limits.waiting) throw busy();
			ofSubject.set(subject, own + 1);
			if (running < limits.atOnce) running++;
			else
				await wait().catch((error: unknown) => {
					forget(subject);
					throw error;
				});
			return { [Symbol.asyncDispose]: async () => leave(subject) };
		},
	};
}

export const tooManyAtOnce = (atOnce: number): AppError =>
	tooManyRequests(`${atOnce} statements of yours are running: send the next when one has ended`, 1);

const busy = (): AppError => unavailable("too many statements are running: try again soon", 2);
