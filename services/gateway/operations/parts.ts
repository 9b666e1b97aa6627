/** Asking several owners for parts of one answer that is worth having without some of them. */

export interface Parts {
	/** What was answered, by the service that was asked. */
	absent: Set<string>;
	/** The part, or `instead` where its owner does not answer, which is remembered. */
	of<T>(owner: string, asked: Promise<T>, instead: T): Promise<T>;
}

export function partsOf(): Parts {
	const absent = new Set<string>();
	return {
		absent,
		of: (owner, asked, instead) =>
			asked.catch(() => {
				absent.add(owner);
				return instead;
			}),
	};
}
