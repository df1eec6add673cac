// The one SQLite that a program links: two would each believe that they alone lock the process's files.
#if Encryption
  @_exported import CSQLCipher
#else
  @_exported import CSQLite
#endif
