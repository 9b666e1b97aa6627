/** Headlines, invented in the wording of trade news. Companies are named for the wording alone; none of it need ever have happened. */

const lines = (text: string): string[] => text.trim().split("\n");

/** Say that a company looks for money or a buyer. */
export const searching = lines(`
Pine Gate Renewables launches strategic review
Pine Gate explores strategic alternatives
Pine Gate board to evaluate strategic options
Pine Gate begins strategic review, shares jump
CEO quits amid strategic review at Pine Gate
Pine Gate hires Lazard to explore sale
Pine Gate taps Evercore to advise on potential sale
Pine Gate retains bank to find buyers for business
Pine Gate seeks buyer
Pine Gate is seeking buyers for its platform
Pine Gate Renewables seeks investors
Pine Gate looking for new investors
Arevon seeks minority investor
Arevon seeks equity partner for storage business
Arevon seeks strategic partner
Arevon looks for joint venture partner
Arevon searching for outside investors
Arevon in search of deep-pocketed partner
Arevon courts potential suitors
Arevon hunting for a white knight
Arevon seeks rescue capital
Arevon seeks cash injection as debts mount
Arevon needs fresh capital
Developer seeks $500 million in equity
Developer seeks to raise $1.2 billion from investors
Developer seeks up to $300m of growth capital
Developer explores sale of renewables platform
Developer explores sale of minority stake
Duke Energy weighs sale of commercial renewables unit
AES considers sale of stake in clean energy arm
AES mulls sale
AES exploring potential sale of the company
Fund prepares sale of storage developer
Shell restarts sale process for Indian renewables arm
Owner kicks off sale process
Orsted plans sale of European onshore business
Orsted weighs selling stake in US business
Enel looks to sell 50% stake in North American unit
Enel in talks to sell majority stake
Enel in advanced talks with investors
Terra-Gen owners put company up for sale
Cypress Creek puts itself up for sale
Hecate platform on the auction block
Bids due for Pine Gate platform at month's end
Clearway's owner explores sale of controlling stake
BP seeks partner for Lightsource bp
BP launches sale of US onshore wind business
Equinor weighs sale of stake in US solar unit
AES explores options including sale -sources
EDF puts half of US renewables business up for sale
EDF seeks buyer for 50% of North American renewables arm
Orsted seeks investors for $9.4bn rights issue
National Grid kicks off sale of US renewables unit
Sunnova exploring strategic alternatives
Leeward Renewable owner OMERS weighs sale
Plug Power seeks fresh capital
TotalEnergies in talks to sell 50% stake in renewables portfolio
Hecate Energy looking for $200 million from investors
Developer hires Marathon Capital to find investor
Silicon Ranch seeks new equity partner
`);

/** Do not: it is over, denied, routine, or of another thing. */
export const notSearching = lines(`
Pine Gate completes sale of platform
Pine Gate completes strategic review
Pine Gate concludes strategic review without a deal
Pine Gate ends strategic review, stays independent
Pine Gate abandons strategic review
Pine Gate rules out strategic alternatives
Pine Gate denies seeking buyers
Pine Gate not seeking investors, chief says
Pine Gate isn't looking for a buyer
Pine Gate says it has no plans to sell stake
Arevon names new chief after strategic review
Arevon announces strategic partnership with Meta
Arevon and Blackstone form strategic partnership
Arevon closes sale of 49% stake
Arevon calls off sale of renewables arm
Arevon drops plan to sell stake
Arevon halts sale process
Arevon shelves sale of storage business
Ofgem opens strategic review of charging rules
State orders strategic review of transmission planning
Strategic Review Committee meets on energy policy
Arevon seeks partners for community solar program training
Arevon seeks buyers for renewable energy certificates
Arevon seeks buyers for 200 MW of clean power
Arevon seeks dismissal of investor lawsuit
Arevon seeks investor approval for merger
Investors seek damages from solar developer
Arevon seeks permit for 100 MW solar farm
Arevon seeks $4 million in damages from contractor
Arevon seeks $400 million construction loan
Utility seeks bids for 500 MW of solar
Utility seeks rate increase
Court weighs sale of Pine Gate assets
Nofar buys stake in Pine Gate
Nofar acquires platform from Pine Gate
Nofar explores solar in Virginia
Brookfield invests $500 million in Pine Gate
Silicon Ranch raises $500 million from AIP Management
EDP Renewables sells 49% stake in US portfolio to Ares
Google to acquire Intersect Power for $4.75 billion
Leeward launches sale of surplus panels
Longroad plans solar farm on land that was up for sale
Should you buy Sunrun stock as investors look to sell?
Origis signs PPA with Meta for 240 MW Texas solar
Car showroom put up for sale
Blackstone buys stake in Invenergy
Invenergy closes $1bn equity raise
Apex Clean Energy names strategic partner program lead
Community seeks partner to restore wetlands
Solar group seeks to sell more power to grid
Savion considers options for Ohio solar farm site
Ørsted completes stake sale in four US wind farms
Ørsted sells stake in Ocean Wind
NextEra Energy Partners buys portfolio
Duke Energy seeks approval to sell Piedmont unit
Investors weigh solar stocks
Texas considers sale of state land for solar
Entergy considers sale of nuclear plant output
FERC considers sale of plant to Vistra
Vistra seeks capital city permit
County seeks buyers for old landfill
Utility seeks partners for demand response pilot
Company seeks capital gains relief
School board explores sale of building to solar company
Avangrid to look at partners for offshore wind later this decade
Pattern Energy wraps up sale process
Pattern Energy's sale process ends without bids
`);

/** Missed: sales of what only its name says is a business. */
export const missedSearches = lines(`
Macquarie explores $1 billion sale of Cero Generation
BP looks to sell half of Lightsource BP
RWE considers bringing in partner for US business
`);
