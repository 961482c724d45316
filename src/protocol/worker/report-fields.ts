import Type from 'typebox';

/** Every report has these fields. A report may arrive late, twice, or at another gateway. */
export const reportFields = {
  id: Type.String({ description: 'Sent again every few seconds until `ack` has this id.' }),
  agoMs: Type.Number({
    minimum: 0,
    description: 'Age of the event in milliseconds, by the worker’s clock.',
  }),
};
